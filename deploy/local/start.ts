import 'reflect-metadata';
import { launcherProgram } from './launcher-program';

void launcherProgram();
