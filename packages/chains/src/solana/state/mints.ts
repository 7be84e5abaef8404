import { TOKEN_PROGRAM } from '@kassa/keys/solana/movement.ts'
import type { Address, ChainSession } from '../../adapter.ts'
import type { ContractFact, TokenClaim } from '../../contract-reader.ts'
import { list, malformed, object } from '../encoding/wire.ts'
import { ask, commitmentOf } from '../network/calls.ts'

/** The size of a mint of the classic program, and the offset of its decimals. */
const MINT_BYTES = 82
const DECIMALS_AT = 44

/** Reads what the mints of these assets state (`getMultipleAccounts`); see `ContractReader.read`. */
export async function readMints(session: ChainSession, assetIds: readonly number[]): Promise<ContractFact[]> {
  const assets = session.chain.assets.filter(({ id, standard }) => standard === 'SPL' && assetIds.includes(id))
  if (assets.length === 0) return []
  const mints = await decimalsOf(
    session,
    assets.map(({ address }) => address),
  )
  return assets.map(({ id }, at) => {
    const decimals = mints[at] ?? null
    return { assetId: id, hasCode: decimals !== null, decimals }
  })
}

/** Reads what an unlisted mint states: only its decimals, because names are kept by optional programs. */
export async function readClaim(session: ChainSession, mint: Address): Promise<TokenClaim> {
  const [decimals] = await decimalsOf(session, [mint])
  return { symbol: null, decimals: decimals ?? null }
}

/** Null for anything but a mint of the classic token program. */
async function decimalsOf(session: ChainSession, mints: readonly Address[]): Promise<(number | null)[]> {
  const options = { commitment: commitmentOf(session), encoding: 'base64' }
  const answer = object(await ask(session, 'getMultipleAccounts', mints, options), 'accounts')
  const accounts = list(answer['value'], 'accounts')
  if (accounts.length !== mints.length) throw malformed('accounts')
  return accounts.map((one) => {
    if (one === null) return null
    const { owner, data } = object(one, 'account')
    const [text] = list(data, 'account data')
    if (owner !== TOKEN_PROGRAM || typeof text !== 'string') return null
    const bytes = Buffer.from(text, 'base64')
    return bytes.length === MINT_BYTES ? (bytes[DECIMALS_AT] ?? null) : null
  })
}
