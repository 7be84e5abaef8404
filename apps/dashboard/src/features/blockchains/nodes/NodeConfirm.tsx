import type { Blockchain, Node } from '@kassa/contract/blockchains/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { failureOf } from '../../../api/form-failure.ts'
import { useChangeNode, useRemoveNode } from '../../../api/nodes.ts'
import { ConsequencesDialog } from '../../../ui/overlays/ConsequencesDialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

export type NodeConfirmProps = {
  readonly blockchain: Blockchain
  readonly node: Node
  readonly action: 'turn-off' | 'remove'
  readonly onClose: () => void
}

/** Says what a network loses with a node before it is turned off or removed. */
export function NodeConfirm({ blockchain, node, action, onClose }: NodeConfirmProps) {
  const change = useChangeNode(blockchain.code)
  const remove = useRemoveNode(blockchain.code)
  const host = URL.parse(node.url)?.host ?? node.url
  const isRemoval = action === 'remove'
  const others = blockchain.rpcNodes.filter(({ id, isActive }) => isActive && id !== node.id).length
  const consequences = [
    readerText(blockchain.name, others),
    ...(others === 1 ? [t`One node can lie: nobody is left to compare it with.`] : []),
    ...(isRemoval ? [t`Its saved credentials are deleted.`] : [t`You can turn it on again at any time.`]),
  ]
  const confirm = async () => {
    const found = await failureOf(() => (isRemoval ? remove(node.id) : change(node.id, { isActive: false })))
    if (found === undefined) toast.success(isRemoval ? t`Node removed` : t`The node is off`)
    return found
  }
  return (
    <ConsequencesDialog
      title={isRemoval ? t`Remove ${host}?` : t`Turn off ${host}?`}
      consequences={consequences}
      action={isRemoval ? t`Remove node` : t`Turn off`}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

function readerText(network: string, others: number): string {
  if (others === 0) return t`No other node of ${network} is on: add one first.`
  return plural(others, {
    one: `${network} is read through one other node from now on.`,
    other: `${network} is read through # other nodes from now on.`,
  })
}
