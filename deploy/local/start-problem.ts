/** A problem that the user can solve: its message is printed as one line, and says what to do. */
export class StartProblem extends Error {}
