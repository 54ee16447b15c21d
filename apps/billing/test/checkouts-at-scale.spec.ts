import { describePayments } from './checkouts-at-scale.fixtures';

describePayments(400);
