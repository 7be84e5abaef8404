import { TOKEN_PROGRAM } from '@kassa/keys/solana/movement.ts'
import type { BalanceAsk, ChainAsset, ChainSession } from '../../adapter.ts'
import { addressText } from '../addresses/addresses.ts'
import { tokenAccountOf } from '../addresses/token-accounts.ts'
import { list, malformed, object, whole } from '../encoding/wire.ts'
import { ask, commitmentOf } from '../network/calls.ts'

/** The most accounts per call (`getMultipleAccounts`). */
const MOST_ACCOUNTS = 100

/** The size of a token account, and the offsets of its mint, owner and units. */
export const TOKEN_ACCOUNT_BYTES = 165
const KEY_BYTES = 32
const UNITS_AT = 64

/** Reads what addresses hold, and for tokens what their computed token accounts hold; see `HoldingsReader`. */
export async function readHoldings(
  session: ChainSession,
  asks: readonly BalanceAsk[],
  commitment = commitmentOf(session),
): Promise<bigint[]> {
  const held: bigint[] = []
  for (let at = 0; at < asks.length; at += MOST_ACCOUNTS) {
    held.push(...(await readSome(session, asks.slice(at, at + MOST_ACCOUNTS), commitment)))
  }
  return held
}

async function readSome(
  session: ChainSession,
  asks: readonly BalanceAsk[],
  commitment: 'finalized' | 'confirmed',
): Promise<bigint[]> {
  const wanted = asks.map(({ assetId, address }) => {
    const asset = session.chain.assets.find(({ id }) => id === assetId)
    if (!asset) throw new RangeError(`Asset ${assetId} is not on ${session.chain.blockchain.code}`)
    return {
      asset,
      owner: address,
      account: asset.standard === 'native' ? address : tokenAccountOf(address, asset.address),
    }
  })
  const options = { commitment, encoding: 'base64' }
  const accounts = wanted.map(({ account }) => account)
  const answer = object(await ask(session, 'getMultipleAccounts', accounts, options), 'accounts')
  const found = list(answer['value'], 'accounts')
  if (found.length !== wanted.length) throw malformed('accounts')
  return wanted.map(({ asset, owner }, at) => unitsIn(found[at], asset, owner))
}

/** An account holds nothing if it does not exist, or has another program, mint or owner. */
function unitsIn(answer: unknown, asset: ChainAsset, owner: string): bigint {
  if (answer === null) return 0n
  const { lamports, owner: program, data } = object(answer, 'account')
  if (asset.standard === 'native') return whole(lamports)
  const [text] = list(data, 'account data')
  if (program !== TOKEN_PROGRAM || typeof text !== 'string') return 0n
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== TOKEN_ACCOUNT_BYTES) return 0n
  const [mint, holder] = [bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES, UNITS_AT)].map(addressText)
  return mint === asset.address && holder === owner ? bytes.readBigUInt64LE(UNITS_AT) : 0n
}
