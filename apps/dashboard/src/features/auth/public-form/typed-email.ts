let typed = ''

/** Keeps the address typed on one identity screen for the next; it leaves no trace in the address bar or on the disk. */
export function rememberTypedEmail(email: string): void {
  typed = email
}

/** Returns the address typed last, empty where none was. */
export function typedEmail(): string {
  return typed
}

/** What may stand in a line that is copied into a shell. */
const PLAIN_ADDRESS = /^[\w.+-]+@[\w.-]+$/

/** Returns the address typed last where a shell needs no quoting for it, else an example. */
export function emailForShell(): string {
  return PLAIN_ADDRESS.test(typed) ? typed : 'you@shop.example'
}
