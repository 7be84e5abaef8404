/** A backup that cannot be made or restored; its message says why, and what to do, to the person who asked. */
export class BackupRefused extends Error {}
