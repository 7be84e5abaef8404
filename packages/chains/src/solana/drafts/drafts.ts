import { plainBase58, readSolanaAddress } from '@kassa/keys/solana/address.ts'
import {
  type Instruction,
  readMessage,
  SIGNATURE_BYTES,
  signedTransaction,
  writeMessage,
} from '@kassa/keys/solana/message.ts'
import { movementOf, openTokenAccount, transferCoin, transferToken } from '@kassa/keys/solana/movement.ts'
import type { Chain, ChainAsset, ChainSession, WalletDrafts } from '../../adapter.ts'
import { NodeRejected } from '../../errors.ts'
import type { SendIntent } from '../../send-intent.ts'
import type { SignedDraft, WalletDraft, WalletSignature } from '../../signing/wallet-drafts.ts'
import { tokenAccountOf } from '../addresses/token-accounts.ts'
import { list, malformed, object, whole } from '../encoding/wire.ts'
import { ask } from '../network/calls.ts'
import { requireOwnNetwork } from '../network/heads.ts'
import { readHoldings, TOKEN_ACCOUNT_BYTES } from '../state/holdings.ts'
import { broadcast, COMMITMENT, simulate } from './broadcast.ts'
import { budget, computeLimit, computePrice, feeOf, MOST_COMPUTE_UNITS } from './rules.ts'

type Ask = { readonly from: string; readonly intent: SendIntent }

/** A payment, with the state of the receiver's account. */
type Payment = {
  readonly instructions: readonly Instruction[]
  /** The lamports to pay. */
  readonly paid: bigint
  /** Lamports that the receiver's new account for the token must hold. */
  readonly accountRent: bigint
}

/** `TransactionError` of an account that cannot pay the fee. */
const SHORT_OF_FEE = 'InsufficientFundsForFee'

/** Builds a payment on the newest block and simulates it there; see `WalletDraftsOf.draft`. */
async function draft(session: ChainSession, { from, intent }: Ask): Promise<WalletDraft> {
  await requireOwnNetwork(session)
  const { assets, blockchain } = session.chain
  const asset = assets.find(({ id }) => intent.kind === 'transfer' && id === intent.assetId)
  const coin = assets.find(({ standard }) => standard === 'native')
  if (intent.kind !== 'transfer' || !asset || !coin)
    throw new RangeError(`Nothing of ${blockchain.code} is transferred`)
  const { to, units } = intent
  const asked = [coin, asset].map(({ id }) => ({ assetId: id, address: from }))
  const [[held = 0n, own = 0n], { instructions, paid, accountRent }, minimum, blockhash] = await Promise.all([
    readHoldings(session, asked, COMMITMENT),
    paymentOf(session, asset, { from, to, units }),
    rentExemptMinimum(session, 0),
    newestBlockhash(session),
  ])
  const price = computePrice(await pricesPaid(session, instructions))
  const written = (limit: bigint, unitPrice: bigint) =>
    writeMessage({ payer: from, blockhash, instructions: [...budget(limit, unitPrice), ...instructions] })
  const costOf = (limit: bigint) => feeOf(limit, price) + accountRent
  const refused = (obstacle: WalletDraft['obstacle'], limit = 0n) => ({
    ...{ rawData: null, obstacle, gas: limit, fee: costOf(limit), held },
  })
  // An account is emptied, or keeps the minimum that every account must hold.
  const isShortFor = (limit: bigint) => {
    const rest = held - paid - costOf(limit)
    return rest !== 0n && rest < minimum
  }
  if (own < units) return refused('short_of_asset')
  if (isShortFor(0n) && isShortFor(computeLimit(1n))) return refused('short_of_coin')
  const { error, computeUnits } = await simulate(
    session,
    signedTransaction(written(MOST_COMPUTE_UNITS, 0n), NO_SIGNATURE),
  )
  if (error !== null) return refused(error === SHORT_OF_FEE ? 'short_of_coin' : 'would_fail')
  const limit = computeLimit(computeUnits)
  if (isShortFor(limit)) return refused('short_of_coin', limit)
  const rawData = Buffer.from(written(limit, price)).toString('hex')
  return { rawData, obstacle: null, gas: limit, fee: costOf(limit), held }
}

/** Takes the place of the signature: a simulation without signature checks accepts it. */
const NO_SIGNATURE = new Uint8Array(SIGNATURE_BYTES)

type Transfer = { readonly from: string; readonly to: string; readonly units: bigint }

async function paymentOf(session: ChainSession, asset: ChainAsset, { from, to, units }: Transfer): Promise<Payment> {
  if (asset.standard === 'native') {
    return { instructions: [transferCoin(from, to, units)], paid: units, accountRent: 0n }
  }
  const { address: mint, decimals } = asset
  const [source, target] = [from, to].map((owner) => tokenAccountOf(owner, mint)) as [string, string]
  const options = { commitment: COMMITMENT, encoding: 'base64' }
  const found = object(await ask(session, 'getAccountInfo', target, options), 'account')
  return {
    instructions: [
      openTokenAccount(from, { account: target, owner: to, mint }),
      transferToken(mint, { owner: from, source, target, units, decimals }),
    ],
    paid: 0n,
    accountRent: found['value'] === null ? await rentExemptMinimum(session, TOKEN_ACCOUNT_BYTES) : 0n,
  }
}

/** The minimum lamports of an account with so many bytes (`getMinimumBalanceForRentExemption`). */
async function rentExemptMinimum(session: ChainSession, bytes: number): Promise<bigint> {
  return whole(await ask(session, 'getMinimumBalanceForRentExemption', bytes, { commitment: COMMITMENT }))
}

async function newestBlockhash(session: ChainSession): Promise<string> {
  const answer = object(await ask(session, 'getLatestBlockhash', { commitment: COMMITMENT }), 'blockhash')
  const { blockhash } = object(answer['value'], 'blockhash')
  if (typeof blockhash !== 'string' || !readSolanaAddress(blockhash)) throw malformed('blockhash')
  return blockhash
}

/** The recent prices of a compute unit on the accounts that a payment changes; empty where a node does not say. */
async function pricesPaid(session: ChainSession, instructions: readonly Instruction[]): Promise<readonly bigint[]> {
  const changed = instructions.flatMap(({ accounts }) => accounts.filter(({ isWritable }) => isWritable))
  const addresses = [...new Set(changed.map(({ address }) => address))]
  try {
    const answer = list(await ask(session, 'getRecentPrioritizationFees', addresses), 'fees')
    return answer.map((one) => whole(object(one, 'fee')['prioritizationFee']))
  } catch (error) {
    if (error instanceof NodeRejected) return []
    throw error
  }
}

/** Reads what a wallet signed; see `WalletDraftsOf.read`. The network checks the signature. */
function read(chain: Chain, signed: WalletSignature): SignedDraft | null {
  const [message, signature] = [signed.rawData, signed.signature].map(bytesOf)
  if (!message || signature?.length !== SIGNATURE_BYTES) return null
  const written = readMessage(message)
  const movement = written && movementOf(written)
  if (!movement) return null
  const { from, to, units, mint } = movement
  const asset = chain.assets.find(({ standard, address }) => (mint === null ? standard === 'native' : address === mint))
  if (!asset) return null
  return {
    tx: { txId: plainBase58(signature), raw: signedTransaction(message, signature) },
    from,
    intent: { kind: 'transfer', assetId: asset.id, to, units },
  }
}

function bytesOf(hex: string): Uint8Array | null {
  return /^(?:[0-9a-f]{2})+$/i.test(hex) ? Uint8Array.from(Buffer.from(hex, 'hex')) : null
}

/** Payments for wallets of Solana, which sign what a page gives them. */
export const solanaDrafts: WalletDrafts = { kinds: new Set(['transfer']), draft, read, broadcast }
