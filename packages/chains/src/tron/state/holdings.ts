import type { Address, AddressKey, ChainSession } from '../../adapter.ts'
import { tronAddresses } from '../addresses/addresses.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { object, requireAnswer, whole } from '../encoding/wire.ts'
import { ask, walletCall } from '../network/calls.ts'
import { estimateCall, prefixed } from './constant-calls.ts'

/** First four bytes of keccak256("balanceOf(address)"). */
const BALANCE_OF = '70a08231'

/** Reads what an account holds in sun; null when it was never activated. */
export async function readAccount(session: ChainSession, key: AddressKey): Promise<bigint | null> {
  const answer = object(await ask(session, walletCall('getaccount', { address: prefixed(key) })), 'account')
  requireAnswer(answer)
  return answer['address'] === undefined ? null : whole(answer['balance'], 'balance')
}

/** Reads what an address holds of an asset at the newest block; nodes keep no older balances. */
export async function readHoldings(session: ChainSession, address: Address, assetId: number): Promise<bigint> {
  const { chain } = session
  const asset = chain.assets.find(({ id }) => id === assetId)
  if (!asset) throw new RangeError(`Asset ${assetId} is not on ${chain.blockchain.code}`)
  const holder = tronAddresses.key(chain, address)
  if (asset.standard === 'native') return (await readAccount(session, holder)) ?? 0n
  const data = fromHex(BALANCE_OF + toHex(holder).padStart(64, '0'))
  const to = tronAddresses.key(chain, asset.address)
  const answer = await estimateCall(session, { from: holder, to, units: 0n, data })
  return 'failure' in answer ? 0n : BigInt(`0x${answer.returned || '0'}`)
}
