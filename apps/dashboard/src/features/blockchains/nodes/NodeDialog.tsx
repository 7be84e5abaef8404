import type { Blockchain, Node } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { useAddNode, useChangeNode } from '../../../api/nodes.ts'
import { useForm } from '../../../lib/forms/form.ts'
import type { Form } from '../../../lib/forms/form.ts'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { NumberField } from '../../../ui/fields/NumberField.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { newNodeRequest, nodeErrors, nodeFailure, nodePatch, nodeValues } from './node-form.ts'
import type { NodeValues } from './node-form.ts'

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
      <Fields form={form} node={node} chainID={blockchain.chainID} />
      <p role="status" className="text-dense text-muted">
        {form.sending && t`Asking the node which network it serves. This takes up to 10 seconds.`}
      </p>
    </FormDialog>
  )
}

type FieldsProps = {
  readonly form: Form<NodeValues>
  readonly node: Node | undefined
  readonly chainID: number | null
}

function Fields({ form, node, chainID }: FieldsProps) {
  return (
    <>
      <TextField
        {...form.field('url')}
        label={node === undefined ? t`URL` : t`New URL (optional)`}
        type="url"
        inputMode="url"
        mono
        placeholder={node?.url ?? 'https://node.example/rpc'}
        hint={node === undefined ? urlHint(chainID) : t`Leave it empty to keep the URL.`}
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
        label={t`Ask this node first while it is well`}
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

function urlHint(chainID: number | null): string {
  return chainID === null ? t`The JSON-RPC URL.` : t`The JSON-RPC URL. It must serve chain ${chainID}.`
}
