import type { Blockchain, ConnectionTest, Node } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useCan } from '../../../api/me.ts'
import { useChangeNode, useTestConnection } from '../../../api/nodes.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { PageActions } from '../../../ui/places/PageActions.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConnectionResult } from './ConnectionResult.tsx'
import { nodeColumns } from './node-columns.tsx'
import { NodeDialog } from './NodeDialog.tsx'
import type { NodeAction } from './NodeMenu.tsx'
import { NodeConfirm } from './NodeConfirm.tsx'

type Asked = { readonly action: 'add' | NodeAction; readonly node?: Node }

/** The nodes a network is read through: how each is, a test of all, and adding, changing and removing them. */
export function Nodes({ blockchain }: { blockchain: Blockchain }) {
  const mayWrite = useCan()('blockchain:write')
  const change = useChangeNode(blockchain.code)
  const [asked, setAsked] = useState<Asked>()
  const [failure, setFailure] = useState<string>()
  const test = useConnectionTest(blockchain.code)
  const close = () => setAsked(undefined)
  const { name: network } = blockchain

  const act = async (action: NodeAction, node: Node) => {
    if (action !== 'prefer' && action !== 'turn-on') return setAsked({ action, node })
    const patch = action === 'prefer' ? { isPreferred: true } : { isActive: true }
    const found = await failureOf(() => change(node.id, patch))
    setFailure(found)
    if (found === undefined) toast.success(action === 'prefer' ? t`This node is asked first` : t`The node is on`)
  }
  const add = mayWrite && (
    <Button kind="primary" size="small" icon={<Plus aria-hidden />} onClick={() => setAsked({ action: 'add' })}>
      <Trans>Add node</Trans>
    </Button>
  )

  return (
    <section aria-label={t`Nodes`} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-h3 font-semibold">
          <Trans>Nodes</Trans>
        </h2>
        {blockchain.rpcNodes.length > 0 && (
          <div className="flex flex-wrap gap-2">
            <Button size="small" loading={test.isRunning} onClick={() => void test.run()}>
              <Trans>Test connection</Trans>
            </Button>
            <PageActions primary={add} />
          </div>
        )}
      </div>
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      <div aria-live="polite" className="empty:-mb-3">
        {test.failure !== undefined && <Banner tone="danger">{test.failure}</Banner>}
        {test.result !== undefined && <ConnectionResult result={test.result} />}
      </div>
      <DataTable
        caption={t`Nodes`}
        columns={nodeColumns(mayWrite ? (action, node) => void act(action, node) : undefined)}
        rows={blockchain.rpcNodes}
        rowKey={({ id }) => String(id)}
        empty={
          <EmptyState
            title={t`No node`}
            text={t`Kassa reads ${network} through a node: one of your own, or a provider’s.`}
            action={add}
          />
        }
      />
      {(asked?.action === 'add' || asked?.action === 'edit') && (
        <NodeDialog blockchain={blockchain} node={asked.node} onClose={close} />
      )}
      {(asked?.action === 'turn-off' || asked?.action === 'remove') && asked.node !== undefined && (
        <NodeConfirm blockchain={blockchain} node={asked.node} action={asked.action} onClose={close} />
      )}
    </section>
  )
}

function useConnectionTest(code: string) {
  const test = useTestConnection(code)
  const [isRunning, setRunning] = useState(false)
  const [result, setResult] = useState<ConnectionTest>()
  const [failure, setFailure] = useState<string>()
  const run = async () => {
    setRunning(true)
    setResult(undefined)
    setFailure(await failureOf(async () => setResult(await test())))
    setRunning(false)
  }
  return { run, isRunning, result, failure }
}
