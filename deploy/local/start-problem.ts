/** Something that the person at the terminal can mend: its message is the one line that they read, and says what to do. */
export class StartProblem extends Error {}
