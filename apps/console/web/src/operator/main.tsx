import { Entrance } from '../components/entrance';
import { startApplication } from '../start-application';

startApplication(
  <Entrance title="Operator" intro="">
    {null}
  </Entrance>,
);
