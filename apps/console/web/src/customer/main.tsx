import { startApplication } from '../start-application';
import { CustomerApplication } from './customer-application';

startApplication(<CustomerApplication />);
