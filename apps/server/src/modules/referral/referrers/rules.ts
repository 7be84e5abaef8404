import { mailboxKey } from '@kassa/contract/kit/mailbox-key.ts'

/** Characters that cannot be mistaken for each other: no I, O, 0 and 1. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** 34 billion codes: too many to guess, and short enough to type. */
const CODE_LENGTH = 7

/** Returns the code that random bytes give, seven of them. */
export function codeOf(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** Reads a code as people type it. */
export function readCode(typed: string): string {
  return typed.trim().toUpperCase()
}

/** Whether two e-mail addresses probably reach one mailbox: a suspicion of self-referral only. */
export function shareMailbox(one: string, other: string): boolean {
  return mailboxKey(one) === mailboxKey(other)
}
