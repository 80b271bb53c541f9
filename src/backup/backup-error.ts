/** A person can fix it, or has to know it, and needs no stack for that: one line. */
export class BackupError extends Error {}
