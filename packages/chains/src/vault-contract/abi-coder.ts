import { createRequire } from 'node:module'
import type * as ViemUtils from 'viem/utils'

type Coder = Pick<
  typeof ViemUtils,
  | 'decodeFunctionData'
  | 'decodeFunctionResult'
  | 'encodeEventTopics'
  | 'encodeFunctionData'
  | 'parseAbi'
  | 'parseEventLogs'
>

const load = createRequire(import.meta.url)
let loaded: Coder | undefined

/**
 * Encodes and decodes calls of contracts (https://docs.soliditylang.org/en/latest/abi-spec.html). The library is loaded with the first
 * call: it takes 12 MB, and an install that has no contract never needs it. Its callers are synchronous, so it is not imported dynamically.
 */
export function abiCoder(): Coder {
  loaded ??= load('viem/utils') as Coder
  return loaded
}
