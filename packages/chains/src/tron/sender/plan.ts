import type { BlockRef, ChainSession, Planned, PlanRefusal, UnsignedTx } from '../../adapter.ts'
import type { SendIntent } from '../../send-intent.ts'
import { RetryableRpcError } from '../../errors.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { writeRawTransaction } from '@kassa/keys/tron/transaction.ts'
import { readBlockRef } from '../encoding/wire.ts'
import { ask as askNode, walletCall } from '../network/calls.ts'
import { requireOwnNetwork } from '../network/heads.ts'
import { messageOf, type Movement } from './calls.ts'
import { estimateCall } from '../state/constant-calls.ts'
import { readAccount, readFacts, readHoldings } from '../state/holdings.ts'
import { type Prices, readPrices } from './prices.ts'

type Ask = { readonly from: string; readonly intent: SendIntent; readonly maxFee: bigint }

/** The lifetime of a transaction: without a block by then, it is never mined (money.md 6.10). */
export const LIFE_MS = 10 * 60 * 1000

/** Signature, result and the tags of both, which use bandwidth too. */
const BYTES_BESIDES = 133n

/** Room above the estimate: the penalty of a heavily used contract changes between blocks (money.md 6.10). */
const ENERGY_NUMERATOR = 13n
const ENERGY_DENOMINATOR = 10n

/** Plans a transaction on the newest block and simulates it there; see `ChainSender.plan`. */
export async function planSend(session: ChainSession, ask: Ask): Promise<Planned> {
  await requireOwnNetwork(session)
  const message = messageOf(session.chain, ask.from, ask.intent)
  const [prices, held, head] = await Promise.all([
    readPrices(session),
    readAccount(session, message.from),
    newestBlock(session),
  ])
  const short = await shortOfAsset(session, ask, message)
  if (short) return refused(short)
  const cost = await costOf(session, { message, prices, leastEnergy: leastEnergyOf(ask.intent) })
  if ('code' in cost) return refused(cost)
  const raw = writeRawTransaction({
    message,
    refBlock: referenceTo(head),
    createdAt: head.minedAt,
    expiresAt: new Date(head.minedAt.getTime() + LIFE_MS),
    feeLimit: cost.energyFee,
  })
  const maxFee = cost.energyFee + cost.activation + (BigInt(raw.length) + BYTES_BESIDES) * prices.byte
  if (maxFee > ask.maxFee) return refused({ code: 'fee_above_ceiling', needed: maxFee })
  const needed = message.units + maxFee
  if ((held ?? 0n) < needed) return refused({ code: 'short_of_coin', needed, held: held ?? 0n })
  const validUntil = new Date(head.minedAt.getTime() + LIFE_MS)
  const tx: UnsignedTx = { from: ask.from, sequence: null, validUntil, maxFee, body: { raw: toHex(raw) } }
  return { kind: 'planned', tx, height: head.height, expectedFee: maxFee }
}

/** The bytes of a signed message in a block, whatever block it refers to. */
export function bandwidthOf(message: Movement): bigint {
  const now = new Date()
  const refBlock = { bytes: new Uint8Array(2).fill(1), hash: new Uint8Array(8).fill(1) }
  const raw = writeRawTransaction({ message, refBlock, createdAt: now, expiresAt: now, feeLimit: 1_000_000_000n })
  return BigInt(raw.length) + BYTES_BESIDES
}

/** The bytes to sign, of a planned transaction. */
export function rawOf({ body }: Pick<UnsignedTx, 'body'>): Uint8Array {
  const { raw } = body
  if (typeof raw !== 'string') throw new RangeError('This transaction is not one of TRON')
  return fromHex(raw)
}

function refused(why: PlanRefusal): Planned {
  return { kind: 'refused', why }
}

/** Reads the block that a new transaction refers to. @throws RetryableRpcError */
export async function newestBlock(session: ChainSession): Promise<BlockRef> {
  const block = readBlockRef(await askNode(session, walletCall('getnowblock')))
  if (block) return block
  throw new RetryableRpcError('malformed', 'The node has no newest block')
}

/** TAPOS: a transaction names a block, and is invalid on a branch without it. */
export function referenceTo({ height, hash }: BlockRef): { readonly bytes: Uint8Array; readonly hash: Uint8Array } {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(height % 0x10000)
  return { bytes, hash: fromHex(hash.slice(16, 32)) }
}

async function shortOfAsset(
  session: ChainSession,
  { from, intent }: Ask,
  message: Movement,
): Promise<PlanRefusal | null> {
  if (intent.kind !== 'transfer' || message.kind !== 'call') return null
  const held = await readHoldings(session, from, intent.assetId)
  return held < intent.units ? { code: 'short_of_asset', needed: intent.units, held } : null
}

type Cost = { readonly energyFee: bigint; readonly activation: bigint }

type Costing = { readonly message: Movement; readonly prices: Prices; readonly leastEnergy: bigint }

/** The energy limit of a call, from the node's estimate. */
export function withRoom(energy: bigint): bigint {
  return (energy * ENERGY_NUMERATOR + ENERGY_DENOMINATOR - 1n) / ENERGY_DENOMINATOR
}

function leastEnergyOf(intent: SendIntent): bigint {
  return intent.kind === 'call' ? (intent.leastGas ?? 0n) : 0n
}

/** No node runs a plain transfer beforehand, and none takes this one: it would wait until its time is over. */
const TO_CONTRACT = 'the network takes no plain transfer of TRX to a contract'

async function costOf(session: ChainSession, { message, prices, leastEnergy }: Costing): Promise<Cost | PlanRefusal> {
  if (message.kind === 'transfer') {
    const receiver = await readFacts(session, message.to)
    if (receiver?.isContract) return { code: 'would_fail', reason: TO_CONTRACT }
    return { energyFee: 0n, activation: receiver ? 0n : prices.activation }
  }
  const estimate = await estimateCall(session, message)
  if ('failure' in estimate) return { code: 'would_fail', reason: estimate.failure }
  const wanted = withRoom(estimate.energy)
  const energy = wanted > leastEnergy ? wanted : leastEnergy
  return { energyFee: energy * prices.energy, activation: 0n }
}
