import type { Address, ChainSession } from '../../adapter.ts'
import type { ContractFact, TokenClaim } from '../../contract-reader.ts'
import { NodeRejected } from '../../errors.ts'
import { callEach, jsonCall, type NodeCall } from '../../node/client.ts'
import { hexBytes } from '../encoding/wire.ts'

/** First four bytes of keccak256("decimals()") (ERC-20). */
const DECIMALS = '0x313ce567'

/** The same of symbol(). */
const SYMBOL = '0x95d89b41'

/** A strange contract may run as long as it is let, and answer as much as it likes. */
const CLAIM_GAS = '0x186a0'
const MOST_CLAIM_BYTES = 512

/** One word that holds a uint8. */
const SMALL_WORD = /^0x0{62}[0-9a-f]{2}$/

const WORD_BYTES = 32
/** As much of the length of a string as can matter. */
const LENGTH_BYTES = 4

/** Reads whether there is code at the contracts of these assets and how many decimals they state; see `ContractReader`. */
export async function readContracts(session: ChainSession, assetIds: readonly number[]): Promise<ContractFact[]> {
  const assets = session.chain.assets.filter(({ id, standard }) => standard !== 'native' && assetIds.includes(id))
  const calls = assets.flatMap(({ address }): NodeCall[] => [
    jsonCall('eth_getCode', address, 'latest'),
    jsonCall('eth_call', { to: address, data: DECIMALS }, 'latest'),
  ])
  const outcomes = await callEach(session, calls)
  return assets.map(({ id }, at) => {
    const code = outcomes[at * 2]
    const decimals = outcomes[at * 2 + 1]
    if (code?.status !== 'fulfilled') throw code?.reason
    return { assetId: id, hasCode: hexBytes(code.value, 'code').length > 2, decimals: readDecimals(decimals) }
  })
}

/** A contract that refuses the call, or answers something else, has no decimals; a node that failed says nothing. */
function readDecimals(outcome: PromiseSettledResult<unknown> | undefined): number | null {
  if (outcome?.status === 'fulfilled') {
    const word = hexBytes(outcome.value, 'decimals')
    return SMALL_WORD.test(word) ? Number(word) : null
  }
  if (outcome?.reason instanceof NodeRejected) return null
  throw outcome?.reason
}

/** Asks a strange contract for its symbol and decimals (ERC-20), with little gas; see `ContractReader.claim`. */
export async function readClaim(session: ChainSession, contract: Address): Promise<TokenClaim> {
  const call = (data: string) => jsonCall('eth_call', { to: contract, data, gas: CLAIM_GAS }, 'latest')
  const [symbol, decimals] = await callEach(session, [call(SYMBOL), call(DECIMALS)])
  return { symbol: readSymbol(symbol), decimals: readDecimals(decimals) }
}

/** A string, or the 32 bytes that the first tokens answer; whatever else it is says nothing. */
function readSymbol(outcome: PromiseSettledResult<unknown> | undefined): string | null {
  if (outcome?.status !== 'fulfilled') {
    if (outcome?.reason instanceof NodeRejected) return null
    throw outcome?.reason
  }
  const hex = hexBytes(outcome.value, 'symbol')
  if (hex.length > 2 + MOST_CLAIM_BYTES * 2) return null
  const bytes = Buffer.from(hex.slice(2), 'hex')
  if (bytes.length === WORD_BYTES) return textOf(bytes)
  if (bytes.length < 2 * WORD_BYTES) return null
  const length = bytes.readUIntBE(2 * WORD_BYTES - LENGTH_BYTES, LENGTH_BYTES)
  return textOf(bytes.subarray(2 * WORD_BYTES, 2 * WORD_BYTES + length))
}

function textOf(bytes: Buffer): string | null {
  const text = bytes.toString('utf8').replaceAll('\0', '').trim()
  return text === '' ? null : text
}
