import { tronText } from '@kassa/keys/tron/address.ts'
import {
  type RawTransaction,
  readRawTransaction,
  transactionId,
  writeRawTransaction,
  writeSignedTransaction,
} from '@kassa/keys/tron/transaction.ts'
import type { AddressKey, Chain, ChainSession, WalletDrafts } from '../../adapter.ts'
import type { SendIntent } from '../../send-intent.ts'
import type { SignedDraft, WalletDraft, WalletSignature } from '../../signing/wallet-drafts.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { object, requireAnswer, whole } from '../encoding/wire.ts'
import { ask as askNode, walletCall } from '../network/calls.ts'
import { requireOwnNetwork } from '../network/heads.ts'
import { broadcast } from '../sender/broadcast.ts'
import { messageOf, type Movement, tokenReceiver } from '../sender/calls.ts'
import { bandwidthOf, LIFE_MS, newestBlock, referenceTo, withRoom } from '../sender/plan.ts'
import { type Prices, readPrices } from '../sender/prices.ts'
import { estimateCall, prefixed } from '../state/constant-calls.ts'
import { readAccount, readHoldings } from '../state/holdings.ts'
import { burnt, type Resources, type Usage } from './rules.ts'

/** Several times the length of any call that a page requests. */
const MOST_DIGITS = 4000

const SIGNATURE_DIGITS = 130

type Ask = { readonly from: string; readonly intent: SendIntent }

/** Builds a transaction on the newest block and simulates it there; see `WalletDraftsOf.draft`. */
async function draft(session: ChainSession, { from, intent }: Ask): Promise<WalletDraft> {
  await requireOwnNetwork(session)
  const message = messageOf(session.chain, from, intent)
  const [prices, coins, own, head] = await Promise.all([
    readPrices(session),
    readAccount(session, message.from),
    readResources(session, message.from),
    newestBlock(session),
  ])
  const held = coins ?? 0n
  const refused = (obstacle: WalletDraft['obstacle'], gas = 0n, fee = 0n) => ({
    ...{ rawData: null, obstacle, gas, fee, held },
  })
  if (await isShortOfAsset(session, { from, intent }, held)) return refused('short_of_asset')
  const usage = await usageOf(session, message, prices)
  if (usage === null) return refused('would_fail')
  const energy =
    intent.kind === 'call' && usage.energy < (intent.leastGas ?? 0n) ? (intent.leastGas ?? 0n) : usage.energy
  const fee = burnt({ ...usage, energy }, own, prices)
  // An account that was never activated cannot send, whatever the cost.
  if (coins === null || held < message.units + fee) return refused('short_of_coin', energy, fee)
  const raw = writeRawTransaction({
    message,
    refBlock: referenceTo(head),
    createdAt: head.minedAt,
    expiresAt: new Date(head.minedAt.getTime() + LIFE_MS),
    feeLimit: energy * prices.energy,
  })
  return { rawData: toHex(raw), obstacle: null, gas: energy, fee, held }
}

async function isShortOfAsset(session: ChainSession, { from, intent }: Ask, coins: bigint): Promise<boolean> {
  if (intent.kind !== 'transfer') return coins < intent.units
  return (await readHoldings(session, from, intent.assetId)) < intent.units
}

/** What a message uses; null when its contract would revert it. */
async function usageOf(session: ChainSession, message: Movement, prices: Prices): Promise<Usage | null> {
  const bytes = bandwidthOf(message)
  if (message.kind === 'transfer') {
    const isActive = (await readAccount(session, message.to)) !== null
    return { bytes, energy: 0n, activation: isActive ? 0n : prices.activation }
  }
  const estimate = await estimateCall(session, message)
  return 'failure' in estimate ? null : { bytes, energy: withRoom(estimate.energy), activation: 0n }
}

/** Reads what an account may use without burning TRX (`getaccountresource`); a value that nodes leave out is 0. */
async function readResources(session: ChainSession, key: AddressKey): Promise<Resources> {
  const answer = object(
    await askNode(session, walletCall('getaccountresource', { address: prefixed(key) })),
    'resources',
  )
  requireAnswer(answer)
  const left = (limit: string, used: string) => {
    const rest = whole(answer[limit], limit) - whole(answer[used], used)
    return rest > 0n ? rest : 0n
  }
  return {
    freeBytes: left('freeNetLimit', 'freeNetUsed'),
    stakedBytes: left('NetLimit', 'NetUsed'),
    energy: left('EnergyLimit', 'EnergyUsed'),
  }
}

/** Reads what a wallet signed; see `WalletDraftsOf.read`. The network checks the signature. */
function read(chain: Chain, { rawData, signature }: WalletSignature): SignedDraft | null {
  if (!isHex(rawData) || rawData.length > MOST_DIGITS) return null
  if (!isHex(signature) || signature.length !== SIGNATURE_DIGITS) return null
  const raw = fromHex(rawData)
  const message = movementIn(raw)
  if (message === null) return null
  return {
    tx: { txId: transactionId(raw), raw: writeSignedTransaction(raw, fromHex(signature)) },
    from: tronText(message.from),
    intent: intentOf(chain, message),
  }
}

function isHex(text: string): boolean {
  return /^(?:[0-9a-f]{2})+$/i.test(text)
}

/** Bytes from outside may be malformed. */
function movementIn(raw: Uint8Array): Movement | null {
  let read: RawTransaction
  try {
    read = readRawTransaction(raw)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
  return read.message.kind === 'other' ? null : read.message
}

/** The inverse of `messageOf`. */
function intentOf(chain: Chain, message: Movement): SendIntent {
  const to = tronText(message.to)
  const { units } = message
  if (message.kind === 'transfer') {
    const native = chain.assets.find(({ standard }) => standard === 'native')
    if (!native) throw new RangeError(`${chain.blockchain.code} has no coin of its own`)
    return { kind: 'transfer', assetId: native.id, to, units }
  }
  const receiver = tokenReceiver(message)
  const token = chain.assets.find(({ standard, address }) => standard !== 'native' && address === to)
  if (receiver !== null && token && units === 0n) {
    const moved = BigInt(`0x${toHex(message.data).slice(-64)}`)
    return { kind: 'transfer', assetId: token.id, to: tronText(fromHex(receiver)), units: moved }
  }
  return { kind: 'call', to, data: `0x${toHex(message.data)}`, units }
}

/** Transactions for wallets of TRON, which sign what a page gives them. */
export const tronDrafts: WalletDrafts = { kinds: new Set(['transfer', 'call']), draft, read, broadcast }
