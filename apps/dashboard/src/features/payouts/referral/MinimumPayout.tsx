import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useCan } from '../../../api/me.ts'
import { minimumPayoutQuery, useSaveMinimumPayout } from '../../../api/referral-payouts.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { usd } from '../../../lib/text/format.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'

/** The smallest withdrawal, with a form for operators who may change it. */
export function MinimumPayout() {
  const can = useCan()
  const { data: minimum } = useQuery(minimumPayoutQuery)
  const [isOpen, setIsOpen] = useState(false)
  if (minimum === undefined) return t`What promoters asked to be paid of their rewards.`
  const amount = usd(minimum)
  const mayChange = can('settings:write') || can('referral:write')
  return (
    <>
      <Trans>Minimum payout {amount}</Trans>
      {mayChange && (
        <>
          {' '}
          <Button size="small" kind="quiet" onClick={() => setIsOpen(true)}>
            <Trans>Change</Trans>
          </Button>
        </>
      )}
      {isOpen && <MinimumDialog minimum={minimum} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function MinimumDialog({ minimum, onClose }: { minimum: string; onClose: () => void }) {
  const save = useSaveMinimumPayout()
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    initial: { minimum },
    validate: ({ minimum: value }) =>
      /^\d+(\.\d{1,2})?$/.test(value) ? {} : { minimum: t`Enter an amount such as 10 or 12.50` },
    submit: async ({ minimum: value }) => {
      setFailure(undefined)
      try {
        await save(value)
        toast.success(t`The minimum is changed.`)
        onClose()
      } catch (thrown) {
        setFailure(asRequestError(thrown).message)
      }
    },
  })
  return (
    <FormDialog
      title={t`Minimum payout`}
      save={t`Save minimum`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <TextField
        {...form.field('minimum')}
        label={t`Minimum in US dollars`}
        hint={t`For every project. What promoters earned below it waits until there is more.`}
        inputMode="decimal"
      />
    </FormDialog>
  )
}
