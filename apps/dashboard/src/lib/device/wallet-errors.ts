/** Its owner said no (EIP-1193). */
const DECLINED = 4001
/** It is locked, or has not let this page in. */
const LOCKED = 4100
/** It cannot be asked for this. */
const UNSUPPORTED = 4200
/** It waits for an answer to an earlier question (EIP-1474). */
const BUSY = -32_002
/** It does not know the network (EIP-3326). */
const UNKNOWN_NETWORK = 4902

function codeOf(thrown: unknown): unknown {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined
}

/** Whether the wallet's owner declined. */
export function isDeclined(thrown: unknown): boolean {
  return codeOf(thrown) === DECLINED
}

/** Whether the wallet is locked. */
export function isLocked(thrown: unknown): boolean {
  return codeOf(thrown) === LOCKED
}

/** Whether the wallet still waits for its owner. */
export function isBusy(thrown: unknown): boolean {
  return codeOf(thrown) === BUSY
}

/** Whether the wallet does not know the network it shall go to, or goes nowhere at all. */
export function isUnknownNetwork(thrown: unknown): boolean {
  return codeOf(thrown) === UNKNOWN_NETWORK || codeOf(thrown) === UNSUPPORTED
}
