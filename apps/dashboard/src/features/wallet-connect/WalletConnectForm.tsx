import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { useForgetWalletConnectId, useSaveWalletConnectId } from '../../api/site-settings.ts'
import { failureOf, formFailure } from '../../api/form-failure.ts'
import { useForm } from '../../lib/forms/form.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Button } from '../../ui/actions/Button.tsx'
import { ConsequencesDialog } from '../../ui/overlays/ConsequencesDialog.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { toast } from '../../ui/feedback/toast.ts'

/** As long as the server takes one. */
const LONGEST = 64

type Values = { readonly value: string }

/** Sets the id, or takes it back. */
export function WalletConnectForm({ id }: { id: string }) {
  const save = useSaveWalletConnectId()
  const [failure, setFailure] = useState<string>()
  const [isRemoving, setRemoving] = useState(false)
  const form = useForm<Values>({
    initial: { value: id },
    validate: idErrors,
    submit: async ({ value }) => {
      setFailure(undefined)
      try {
        await save(value.trim())
        toast.success(t`Project id saved`)
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['value'])
        setFailure(text)
        return fields
      }
    },
  })
  return (
    <>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        <TextField
          {...form.field('value')}
          label={t`Wallet connect project id`}
          mono
          hint={t`32 letters and digits, as Reown shows them.`}
        />
        <div className="flex flex-wrap justify-end gap-2">
          {id !== '' && (
            <Button kind="quiet" onClick={() => setRemoving(true)}>
              <Trans>Remove</Trans>
            </Button>
          )}
          <Button kind="primary" type="submit" loading={form.sending}>
            <Trans>Save</Trans>
          </Button>
        </div>
      </form>
      {isRemoving && <RemoveDialog onClose={() => setRemoving(false)} />}
    </>
  )
}

function idErrors({ value }: Values): { value?: string } {
  if (value.trim() === '') return { value: t`Project id is required` }
  return value.trim().length > LONGEST ? { value: t`Project id must be at most ${LONGEST} characters` } : {}
}

function RemoveDialog({ onClose }: { onClose: () => void }) {
  const forget = useForgetWalletConnectId()
  const confirm = () =>
    failureOf(async () => {
      await forget()
      toast.success(t`Project id removed`)
      onClose()
    })
  return (
    <ConsequencesDialog
      title={t`Remove the project id?`}
      consequences={[
        t`Payment pages that read it can no longer connect to wallets on a phone.`,
        t`Payments that are under way go on.`,
      ]}
      action={t`Remove`}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
