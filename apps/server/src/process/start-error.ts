/** Why Kassa cannot start: the message is a sentence for the person who starts it, who needs no stack trace. */
export class StartError extends Error {}

const problems: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'there is a file of this name',
}

/** Explains a failed write below the data folder; any other error is returned as it is. */
export function explainHome(error: unknown, home: string): unknown {
  const problem = problems[codeOf(error)]
  if (!problem) return error
  const advice = 'Make it writable for this user, or set KASSA_HOME to another folder.'
  return new StartError(`Kassa cannot write to its data folder ${home}: ${problem}. ${advice}`, { cause: error })
}

/** Explains why a port could not be opened; any other error is returned as it is. */
export function explainPort(error: Error, { port, bind }: { port: number; bind: string }): Error {
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is taken by another program. Stop that program, or choose a port: PORT=${port + 1} npm start`,
    EACCES: `Port ${port} is reserved for root. Choose one above 1023: PORT=8080 npm start`,
    EADDRNOTAVAIL: `This machine has no address ${bind}. Set KASSA_BIND to one of its own.`,
  }
  const sentence = sentences[codeOf(error)]
  return sentence ? new StartError(sentence, { cause: error }) : error
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
