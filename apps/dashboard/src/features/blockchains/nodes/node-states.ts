import { NODE_REASONS } from '@kassa/contract/blockchains/node-reasons.ts'
import type { Node, NodeHealth } from '@kassa/contract/blockchains/schemas.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'

import { reasonText, type Words } from '../../../labels/reason-text.ts'
import { clockMinute } from '../../../lib/time/clock-minute.ts'
import type { Tone } from '../../../ui/feedback/tones.ts'

const STATES: Readonly<Record<NodeHealth['state'], { readonly tone: Tone; readonly word: MessageDescriptor }>> = {
  healthy: { tone: 'success', word: msg({ message: 'Healthy', comment: 'state of a node that answers as it should' }) },
  backoff: {
    tone: 'warning',
    word: msg({ message: 'Paused', comment: 'state of a node that is not asked for a while' }),
  },
  lagging: { tone: 'warning', word: msg({ message: 'Behind', comment: 'state of a node whose newest block is old' }) },
  ahead: {
    tone: 'danger',
    word: msg({ message: 'Ahead', comment: 'state of a node that claims a block nobody can have' }),
  },
  forked: { tone: 'danger', word: msg`Other branch` },
  wrong_network: { tone: 'danger', word: msg`Wrong network` },
}

/** Returns how a node is as a word with its tone. */
export function nodeState({ isActive, health }: Pick<Node, 'isActive' | 'health'>): {
  readonly tone: Tone
  readonly word: string
} {
  if (!isActive) return { tone: 'neutral', word: t`Off` }
  if (health === null) return { tone: 'info', word: t`Not asked yet` }
  const { tone, word } = STATES[health.state]
  return { tone, word: t(word) }
}

const REASONS: Words<typeof NODE_REASONS> = {
  other_branch: ({ detail }) => detail,
  refused: ({ detail }) => detail,
  behind: ({ lagBlocks }) => {
    const blocks = plural(lagBlocks, { one: '# block', other: '# blocks' })
    return t`It is ${blocks} behind the best node.`
  },
  ahead: ({ aheadBlocks }) => {
    const blocks = plural(aheadBlocks, { one: '# block', other: '# blocks' })
    return t`Its newest block is ${blocks} above every other node's, more than the time allows. It is asked last.`
  },
  calls_used_up: ({ calls }) => {
    const all = plural(calls, { one: '# call', other: '# calls' })
    return t`Its ${all} of today are used up.`
  },
  backoff: ({ until, error }) => {
    const time = clockMinute(new Date(until))
    const why = error ?? t`it failed`
    return t`Not used until ${time}: ${why}`
  },
}

/** Returns why a node is not used; undefined while it is. */
export function nodeReason({ cause, reason }: Pick<NodeHealth, 'cause' | 'reason'>): string | undefined {
  return cause === null ? (reason ?? undefined) : reasonText(NODE_REASONS, REASONS, cause)
}

/** Returns what to know about the sources of a network; absent when two can check each other. */
export function sourcesNote({
  sourceCount,
  rpcNodes,
}: {
  sourceCount: number
  rpcNodes: readonly Node[]
}): string | undefined {
  const active = rpcNodes.filter(({ isActive }) => isActive).length
  if (active === 0) return t`No node is switched on: nothing is read. Add one.`
  if (sourceCount > 1) return undefined
  return active === 1
    ? t`One node can lie; add a second.`
    : t`All nodes are of one operator, who can lie; add one of another operator.`
}
