import { msg } from '@lingui/core/macro'

import { readStored, writeStored } from '../../../lib/device/stored.ts'

/** What is deployed, where, by whom and for what; complete before anything is sent. */
export type Deployment = {
  readonly blockchainCode: string
  readonly factoryId: number
  readonly factory: string
  readonly owner: string
  readonly collector: string
  readonly salt: string
  /** Where the contract will stand, as this browser computed it. */
  readonly vault: string
  /** A wallet that gets one more network; absent for a new one. */
  readonly walletId?: number
  /** Deposit addresses of extended public keys approve it: no wallet of its own. */
  readonly isForApprovals: boolean
}

/** One that was sent: the page may have been closed since. */
export type SentDeployment = Deployment & { readonly transactionHash: string }

const STORED = 'kassa-deployment'

/** What was sent and not confirmed yet, from this browser. */
export function readSent(): SentDeployment | undefined {
  const text = readStored(STORED)
  if (text === undefined) return undefined
  try {
    const sent = JSON.parse(text) as Partial<SentDeployment>
    return typeof sent.transactionHash === 'string' && typeof sent.vault === 'string'
      ? (sent as SentDeployment)
      : undefined
  } catch {
    return undefined
  }
}

/** Keeps what was sent until it is confirmed; undefined forgets it. */
export function keepSent(sent: SentDeployment | undefined): void {
  writeStored(STORED, sent && JSON.stringify(sent))
}

/** 32 random bytes: another contract of the same owner gets another address. */
export function newSalt(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

export const STEPS = [
  msg({ message: 'Connect', comment: 'step of deploying a contract: connect the owner’s wallet' }),
  msg({ message: 'Cold address', comment: 'step of deploying a contract: where swept money goes' }),
  msg({ message: 'Check', comment: 'step of deploying a contract: look over what will be sent' }),
  msg({ message: 'Sign', comment: 'step of deploying a contract: the wallet signs' }),
  msg({ message: 'Confirmed', comment: 'step of deploying a contract: the server has verified it' }),
] as const
