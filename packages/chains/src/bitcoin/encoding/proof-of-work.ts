import type { Chain, ChainSession } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import type { WireHeader } from './wire.ts'

/** The target of difficulty 1, the easiest that the main network allows (Bitcoin Core, `src/kernel/chainparams.cpp`). */
const EASIEST = 0xffffn << 208n

/**
 * From this height on (October 2019) no block of the main network was easier than a difficulty of 12 × 10^12; a third of that
 * is refused. A block that is forged at this limit costs 2^74 hashes: a machine that makes 10^14 of them a second needs years.
 */
const HARD_SINCE = 600_000
const HARDEST_EASE = EASIEST >> 42n

/**
 * Checks that miners worked on a header: its hash is at most the target that it states, and the target is one that the main
 * network can have at this height. Test networks and the local chain are not checked: there anybody can make blocks.
 * @throws RetryableRpcError of the kind that is the node's own trouble, so that such a block is never quarantined and passed by
 */
export function requireWork({ chain, node }: ChainSession, { hash, bits }: WireHeader, height: number): void {
  if (!isWorkChecked(chain)) return
  const target = targetOf(bits)
  const easiest = height < HARD_SINCE ? EASIEST : HARDEST_EASE
  if (target > 0n && target <= easiest && BigInt(`0x${hash}`) <= target) return
  throw new RetryableRpcError('internal', `${node.label} shows block ${height} without the work of miners`)
}

/** The target changes with every 2016th block of the main network, and makes blocks at most four times easier. */
const RETARGETED_EVERY = 2016
const MOST_EASIER = 4n

/**
 * Checks that a header of the main network states a target that its parent leads to: the same one, except where the target
 * changes. So a forged block behind ours needs as much work as a true one, not only what the network has had at least.
 * @throws RetryableRpcError as `requireWork`
 */
export function requireTarget(
  { node }: Pick<ChainSession, 'node'>,
  { parent, header, height }: { readonly parent: WireHeader; readonly header: WireHeader; readonly height: number },
): void {
  const isChange = height % RETARGETED_EVERY === 0
  // A harder target than the rule gives proves more work.
  const isReached = isChange
    ? targetOf(header.bits) <= targetOf(parent.bits) * MOST_EASIER
    : header.bits === parent.bits
  if (isReached) return
  throw new RetryableRpcError(
    'internal',
    `${node.label} shows block ${height} with another target than its parent leads to`,
  )
}

/** Whether work is checked on a chain: where anybody can make blocks it proves nothing. */
export function isWorkChecked({ mode }: Pick<Chain, 'mode'>): boolean {
  return mode === 'mainnet'
}

/** The target that a header states in four bytes: an exponent and three bytes, the highest bit of which is a sign. */
function targetOf(bits: number): bigint {
  const [exponent, mantissa] = [bits >>> 24, BigInt(bits & 0x7fffff)]
  if ((bits & 0x800000) !== 0) return 0n
  return exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3))
}
