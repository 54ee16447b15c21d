import { startApplication } from '../start-application';
import { OperatorApplication } from './operator-application';

startApplication(<OperatorApplication />);
