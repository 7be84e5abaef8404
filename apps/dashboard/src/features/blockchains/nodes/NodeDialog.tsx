import type { Blockchain, Node } from '@kassa/contract/blockchains/schemas.ts'
import type { PublicNode } from '@kassa/primitives/chains/blockchain.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { useAddNode, useChangeNode } from '../../../api/nodes.ts'
import { useForm } from '../../../lib/forms/form.ts'
import type { Form } from '../../../lib/forms/form.ts'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { NumberField } from '../../../ui/fields/NumberField.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { newNodeRequest, nodeErrors, nodeFailure, nodePatch, nodeValues } from './node-form.ts'
import type { NodeValues } from './node-form.ts'
import { publicNodesFor } from './public-nodes.ts'

export type NodeDialogProps = {
  readonly blockchain: Blockchain
  /** The node to change; absent adds one. */
  readonly node: Node | undefined
  readonly onClose: () => void
}

/** Adds or changes a node; a new address must answer and prove its network before it is saved. */
export function NodeDialog({ blockchain, node, onClose }: NodeDialogProps) {
  const add = useAddNode(blockchain.code)
  const change = useChangeNode(blockchain.code)
  const [failure, setFailure] = useState<string>()
  const { name: network } = blockchain
  const form = useForm<NodeValues>({
    initial: nodeValues(node),
    validate: (values) => nodeErrors(values, node),
    submit: async (values) => {
      setFailure(undefined)
      try {
        if (node === undefined) await add(newNodeRequest(values))
        else await change(node.id, nodePatch(values, node))
        toast.success(node === undefined ? t`The node answers and serves ${network}. It is added.` : t`Node saved`)
        onClose()
      } catch (thrown) {
        const { fields, text } = nodeFailure(thrown)
        setFailure(text)
        return fields
      }
    },
  })
  return (
    <FormDialog
      title={node === undefined ? t`Add a node of ${network}` : t`Change this node`}
      save={node === undefined ? t`Add node` : t`Save node`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      {node === undefined && <PublicNodes form={form} nodes={publicNodesFor(blockchain)} />}
      <Fields form={form} node={node} blockchain={blockchain} />
      <p role="status" className="text-dense text-muted">
        {form.sending && t`Asking the node which network it serves. This takes up to 10 seconds.`}
      </p>
    </FormDialog>
  )
}

type FieldsProps = {
  readonly form: Form<NodeValues>
  readonly node: Node | undefined
  readonly blockchain: Blockchain
}

/** Fills the URL in; what is typed instead is a node of one's own. */
function PublicNodes({ form, nodes }: Pick<FieldsProps, 'form'> & { readonly nodes: readonly PublicNode[] }) {
  if (nodes.length === 0) return null
  const { url } = form.values
  const options = nodes.map((one) => ({ value: one.url, label: one.operator }))
  return (
    <Select
      label={t`Public node (optional)`}
      value={options.some(({ value }) => value === url) ? url : ''}
      options={[{ value: '', label: t`A node of your own` }, ...options]}
      onChange={(chosen) => form.set({ url: chosen })}
      hint={t`Free, limited and without a promise: to try it out, or as a second operator.`}
    />
  )
}

function Fields({ form, node, blockchain }: FieldsProps) {
  return (
    <>
      <TextField
        {...form.field('url')}
        label={node === undefined ? t`URL` : t`New URL (optional)`}
        type="url"
        inputMode="url"
        mono
        placeholder={node?.url ?? 'https://node.example/rpc'}
        hint={node === undefined ? urlHint(blockchain) : t`Leave it empty to keep the URL.`}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          {...form.field('priority')}
          label={t`Priority`}
          max={1000}
          step={1}
          hint={t`Lower is asked first.`}
        />
        <NumberField
          {...form.field('maxDailyCalls')}
          label={t`Calls a day (optional)`}
          step={1}
          hint={t`Empty: as many as are needed.`}
        />
      </div>
      <Checkbox
        label={t`Ask this node first while it is healthy`}
        checked={form.values.isPreferred}
        onChange={(isPreferred) => form.set({ isPreferred })}
      />
      <fieldset className="flex flex-col gap-4">
        <legend className="mb-1 text-body font-medium">
          <Trans>Credentials (optional)</Trans>
        </legend>
        <p className="text-dense text-muted">
          {node?.hasCredentials === true
            ? t`Kept in the vault and never shown again. Saved ones stay unless you type new ones.`
            : t`Kept in the vault and never shown again.`}
        </p>
        <TextField {...form.field('apiKey')} label={t`API key`} mono />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...form.field('authUsername')} label={t`User name`} />
          <TextField {...form.field('authPassword')} label={t`Password of the node`} mono />
        </div>
        {node?.hasCredentials === true && (
          <Checkbox
            label={t`Forget the saved credentials`}
            checked={form.values.forgets}
            onChange={(forgets) => form.set({ forgets })}
          />
        )}
      </fieldset>
    </>
  )
}

function urlHint({ family, chainID }: Blockchain): string {
  if (family === 'BTC_Family') {
    return t`The JSON-RPC URL of bitcoind, or the URL of an Esplora, which often ends in /api. Kassa finds out which it is.`
  }
  if (family === 'TRX_Family') return t`The URL of the HTTP API, without /wallet and without /jsonrpc.`
  return chainID === null ? t`The JSON-RPC URL.` : t`The JSON-RPC URL. It must serve chain ${chainID}.`
}
