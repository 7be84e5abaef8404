import type { Address, AddressKey, BalanceAsk, ChainSession } from '../../adapter.ts'
import { mapConcurrent } from '../../node/map-concurrent.ts'
import { tronAddresses } from '../addresses/addresses.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { object, requireAnswer, whole } from '../encoding/wire.ts'
import { ask, walletCall } from '../network/calls.ts'
import { prefixed, readWord } from './constant-calls.ts'

/** First four bytes of keccak256("balanceOf(address)"). */
const BALANCE_OF = '70a08231'

/** An account that was activated. */
type Account = {
  /** In sun. */
  readonly coins: bigint
  readonly isContract: boolean
}

/** Reads an account; null when it was never activated. */
export async function readFacts(session: ChainSession, key: AddressKey, view?: string): Promise<Account | null> {
  const answer = object(await ask(session, walletCall('getaccount', { address: prefixed(key) }, view)), 'account')
  requireAnswer(answer)
  if (answer['address'] === undefined) return null
  return { coins: whole(answer['balance'], 'balance'), isContract: answer['type'] === 'Contract' }
}

/** Reads what an account holds in sun; null when it was never activated. */
export async function readAccount(session: ChainSession, key: AddressKey, view?: string): Promise<bigint | null> {
  return (await readFacts(session, key, view))?.coins ?? null
}

/** How many accounts are read at once. */
const IN_FLIGHT = 4

/** Reads what addresses hold at the newest final block; see `HoldingsReader`. A local chain has no final block. */
export async function readFinalHoldings(session: ChainSession, asks: readonly BalanceAsk[]): Promise<bigint[]> {
  const view = session.chain.mode === 'sandbox' ? 'wallet' : 'walletsolidity'
  const outcomes = await mapConcurrent(IN_FLIGHT, asks, ({ address, assetId }) =>
    readHoldings(session, address, assetId, view),
  )
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

/** Reads what an address holds of an asset at the newest block, or in another view; nodes keep no older balances. */
export async function readHoldings(
  session: ChainSession,
  address: Address,
  assetId: number,
  view?: string,
): Promise<bigint> {
  const { chain } = session
  const asset = chain.assets.find(({ id }) => id === assetId)
  if (!asset) throw new RangeError(`Asset ${assetId} is not on ${chain.blockchain.code}`)
  const holder = tronAddresses.key(chain, address)
  if (asset.standard === 'native') return (await readAccount(session, holder, view)) ?? 0n
  const data = fromHex(BALANCE_OF + toHex(holder).padStart(64, '0'))
  const to = tronAddresses.key(chain, asset.address)
  return readWord(session, { from: holder, to, units: 0n, data }, view)
}
