import type { Address, ChainSession } from '../../adapter.ts'
import type { ContractFact, TokenClaim } from '../../contract-reader.ts'
import { NodeRejected } from '../../errors.ts'
import { toHex } from '../encoding/hex.ts'
import { list, object, requireAnswer } from '../encoding/wire.ts'
import { tronAddresses } from '../addresses/addresses.ts'
import { askEach, walletCall } from '../network/calls.ts'

/** The sender of simulated calls: an address without an owner. */
const ZERO_ADDRESS = `41${'0'.repeat(40)}`

/** One word with a uint8. */
const SMALL_WORD = /^0{62}[0-9a-f]{2}$/

const WORD_BYTES = 32
const LENGTH_BYTES = 4
const MOST_CLAIM_BYTES = 512

/** Reads whether there is code at the contracts of these assets and which decimals they state; see `ContractReader`. */
export async function readContracts(session: ChainSession, assetIds: readonly number[]): Promise<ContractFact[]> {
  const assets = session.chain.assets.filter(({ id, standard }) => standard !== 'native' && assetIds.includes(id))
  const outcomes = await askEach(
    session,
    assets.flatMap(({ address }) => {
      const value = prefixed(session, address)
      return [walletCall('getcontract', { value }), constantCall(value, 'decimals()')]
    }),
  )
  return assets.map(({ id }, at) => {
    const contract = outcomes[at * 2]
    if (contract?.status !== 'fulfilled') throw contract?.reason
    const raw = object(contract.value, 'contract')
    requireAnswer(raw)
    return { assetId: id, hasCode: typeof raw['bytecode'] === 'string', decimals: readDecimals(outcomes[at * 2 + 1]) }
  })
}

/** Reads the symbol and decimals of an unlisted contract (TRC-20); see `ContractReader.claim`. */
export async function readClaim(session: ChainSession, contract: Address): Promise<TokenClaim> {
  const value = prefixed(session, contract)
  const [symbol, decimals] = await askEach(session, [
    constantCall(value, 'symbol()'),
    constantCall(value, 'decimals()'),
  ])
  return { symbol: textOf(resultOf(symbol)), decimals: readDecimals(decimals) }
}

function prefixed({ chain }: ChainSession, address: Address): string {
  return `41${toHex(tronAddresses.key(chain, address))}`
}

function constantCall(contract: string, selector: string) {
  return walletCall('triggerconstantcontract', {
    owner_address: ZERO_ADDRESS,
    contract_address: contract,
    function_selector: selector,
  })
}

function readDecimals(outcome: PromiseSettledResult<unknown> | undefined): number | null {
  const word = resultOf(outcome)
  return word !== null && SMALL_WORD.test(word) ? Number.parseInt(word, 16) : null
}

/** The return value of a call as hex; null when the contract refused it. A node that failed throws. */
function resultOf(outcome: PromiseSettledResult<unknown> | undefined): string | null {
  if (outcome?.status !== 'fulfilled') {
    if (outcome?.reason instanceof NodeRejected) return null
    throw outcome?.reason
  }
  const { constant_result: results } = object(outcome.value, 'result')
  const [first] = results === undefined ? [] : list(results, 'constant_result')
  return typeof first === 'string' && /^[0-9a-f]*$/.test(first) ? first : null
}

/** A string, or the 32 bytes that the first tokens return; anything else is null. */
function textOf(hex: string | null): string | null {
  if (hex === null || hex.length > MOST_CLAIM_BYTES * 2) return null
  const bytes = Buffer.from(hex, 'hex')
  if (bytes.length === WORD_BYTES) return readable(bytes)
  if (bytes.length < 2 * WORD_BYTES) return null
  const length = bytes.readUIntBE(2 * WORD_BYTES - LENGTH_BYTES, LENGTH_BYTES)
  return readable(bytes.subarray(2 * WORD_BYTES, 2 * WORD_BYTES + length))
}

function readable(bytes: Buffer): string | null {
  const text = bytes.toString('utf8').replaceAll('\0', '').trim()
  return text === '' ? null : text
}
