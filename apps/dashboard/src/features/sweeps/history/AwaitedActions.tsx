import type { Sweep } from '@kassa/contract/sweeps/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { useSweepChanges } from '../../../api/sweeps.ts'
import { isTransactionHash } from '../../../labels/sweep-labels.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { ReleaseSweep } from './ReleaseSweep.tsx'

/** A sweep whose transaction an operator's wallet was to send: it is named here, also after the page was closed, or given up. */
export function AwaitedActions({ sweep }: { sweep: Sweep }) {
  const [asked, setAsked] = useState<'record' | 'release'>()
  const close = () => setAsked(undefined)
  return (
    <>
      <Button kind="primary" onClick={() => setAsked('record')}>
        <Trans>Record transaction</Trans>
      </Button>
      <Button onClick={() => setAsked('release')}>
        <Trans>Release</Trans>
      </Button>
      {asked === 'record' && <RecordDialog sweep={sweep} onClose={close} />}
      {asked === 'release' && <ReleaseSweep sweep={sweep} onReleased={close} onClose={close} />}
    </>
  )
}

function RecordDialog({ sweep, onClose }: { sweep: Sweep; onClose: () => void }) {
  const { record } = useSweepChanges()
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    initial: { txHash: '' },
    validate: ({ txHash }) => (isTransactionHash(txHash) ? {} : { txHash: t`This is not a valid transaction hash` }),
    submit: async ({ txHash }) => {
      setFailure(undefined)
      try {
        await record(sweep, txHash)
        toast.success(t`The transaction is recorded and watched.`)
        onClose()
      } catch (thrown) {
        setFailure(asRequestError(thrown).message)
      }
    },
  })
  return (
    <FormDialog
      title={t`Record transaction`}
      save={t`Record transaction`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <TextField
        {...form.field('txHash')}
        label={t`Transaction hash`}
        hint={t`Paste it once your wallet has sent the transaction. Kassa verifies it on the chain.`}
        mono
      />
    </FormDialog>
  )
}
