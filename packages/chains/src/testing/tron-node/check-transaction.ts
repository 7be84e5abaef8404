import { accountOf } from '@kassa/keys/address-text.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { fromHex, toHex } from '../../tron/encoding/hex.ts'
import { activationFee, bandwidthFee, type Sent } from './transactions.ts'
import type { VirtualMachine } from './virtual-machine.ts'

/** Why a node does not take a transaction: the codes of `broadcasttransaction`. */
export type SendRefusal = {
  readonly code:
    | 'SIGERROR'
    | 'CONTRACT_VALIDATE_ERROR'
    | 'DUP_TRANSACTION_ERROR'
    | 'TAPOS_ERROR'
    | 'TRANSACTION_EXPIRATION_ERROR'
  readonly message: string
}

type Checked = {
  readonly machine: VirtualMachine
  readonly blocks: readonly Referable[]
  readonly isKnown: boolean
  readonly now: Date
}

type Referable = { readonly hash: string }

/** Blocks back that a transaction may refer to: its reference has 2 bytes of the height. */
const REFERENCES = 65_536

/** A transaction may not live longer. */
const LONGEST_LIFE_MS = 24 * 60 * 60 * 1000

/** Where the 8 bytes of a block's id that a transaction names lie, in hex digits. */
const REFERENCE_DIGITS = [16, 32] as const

/** Checks a signed transaction as a node does before it takes it; null when it may be mined. */
export async function checkSent(sent: Sent, chain: Checked): Promise<SendRefusal | null> {
  const { raw } = sent
  if (chain.isKnown) return { code: 'DUP_TRANSACTION_ERROR', message: 'Dup transaction.' }
  const life = raw.expiresAt.getTime() - chain.now.getTime()
  if (life <= 0 || life > LONGEST_LIFE_MS) {
    return { code: 'TRANSACTION_EXPIRATION_ERROR', message: 'Transaction expiration time is wrong.' }
  }
  if (!refersToThisBranch(sent, chain)) return { code: 'TAPOS_ERROR', message: 'Tapos check error.' }
  if (raw.message.kind === 'other') return invalid('The local chain knows transfers and calls of contracts.')
  if (!isSignedBy(sent, raw.message.from)) return { code: 'SIGERROR', message: 'Validate signature error.' }
  return checkMoney(sent, chain.machine)
}

/** Whether the block that a transaction names is on the branch of these blocks, which have every height from 0. */
export function refersToThisBranch(
  { raw: { refBlock } }: Sent,
  { blocks }: { readonly blocks: readonly Referable[] },
): boolean {
  const low = Buffer.from(refBlock.bytes)
  if (low.length !== 2) return false
  const wanted = low.readUInt16BE(0)
  const head = blocks.length - 1
  const height = head - ((((head - wanted) % REFERENCES) + REFERENCES) % REFERENCES)
  return blocks[height]?.hash.slice(...REFERENCE_DIGITS) === toHex(refBlock.hash)
}

/** A signature is r, s and a recovery number from 0 or from 27; only the owner's own key signs on the local chain. */
function isSignedBy({ txId, signatures }: Sent, owner: Uint8Array): boolean {
  const bytes = fromHex(signatures[0] ?? '')
  if (signatures.length !== 1 || bytes.length !== 65) return false
  const recovery = (bytes[64] ?? 0) % 27
  try {
    const signature = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact').addRecoveryBit(recovery)
    return toHex(accountOf(signature.recoverPublicKey(fromHex(txId)).toBytes())) === toHex(owner)
  } catch {
    return false
  }
}

async function checkMoney(sent: Sent, machine: VirtualMachine): Promise<SendRefusal | null> {
  const { message } = sent.raw
  if (message.kind === 'other') return null
  const held = await machine.balance(message.from)
  if (held === null) return invalid('Account does not exist.')
  if (message.kind === 'call') {
    if (!(await machine.hasCode(message.to))) return invalid('No contract or not a smart contract.')
    return held < message.units + bandwidthFee(sent) ? invalid('Account resource insufficient error.') : null
  }
  if (message.units <= 0n) return invalid('Amount must be greater than 0.')
  if (toHex(message.from) === toHex(message.to)) return invalid('Cannot transfer TRX to yourself.')
  if (await machine.hasCode(message.to)) return invalid('Cannot transfer TRX to a smartContract.')
  const needed = message.units + bandwidthFee(sent) + (await activationFee(machine, message.to))
  return held < needed ? invalid('Validate TransferContract error, balance is not sufficient.') : null
}

function invalid(message: string): SendRefusal {
  return { code: 'CONTRACT_VALIDATE_ERROR', message: `Contract validate error : ${message}` }
}
