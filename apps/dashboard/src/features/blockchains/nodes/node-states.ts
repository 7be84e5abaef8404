import type { Node, NodeHealth } from '@kassa/contract/blockchains/schemas.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import type { Tone } from '../../../ui/feedback/tones.ts'

const STATES: Readonly<Record<NodeHealth['state'], { readonly tone: Tone; readonly word: MessageDescriptor }>> = {
  healthy: { tone: 'success', word: msg({ message: 'Healthy', comment: 'state of a node that answers as it should' }) },
  backoff: {
    tone: 'warning',
    word: msg({ message: 'Paused', comment: 'state of a node that is not asked for a while' }),
  },
  lagging: { tone: 'warning', word: msg({ message: 'Behind', comment: 'state of a node whose newest block is old' }) },
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
    : t`All nodes are of one operator, who can lie; add one of somebody else.`
}
