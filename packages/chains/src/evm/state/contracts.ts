import type { ChainSession, ContractFact } from '../../adapter.ts'
import { NodeRejected } from '../../errors.ts'
import { callEach, jsonCall, type NodeCall } from '../../node/client.ts'
import { hexBytes } from '../encoding/wire.ts'

/** First four bytes of keccak256("decimals()") (ERC-20). */
const DECIMALS = '0x313ce567'

/** One word that holds a uint8. */
const SMALL_WORD = /^0x0{62}[0-9a-f]{2}$/

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
