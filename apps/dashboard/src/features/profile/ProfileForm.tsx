import { ChangeMe } from '@kassa/contract/operators/schemas.ts'
import type { Me } from '@kassa/contract/operators/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { formFailure } from '../../api/form-failure.ts'
import { useChangeMe } from '../../api/me.ts'
import { fieldErrors } from '../../lib/forms/field-errors.ts'
import { useForm } from '../../lib/forms/form.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Button } from '../../ui/actions/Button.tsx'
import { Card } from '../../ui/places/Card.tsx'
import { LeaveGuard } from '../../ui/forms/LeaveGuard.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { toast } from '../../ui/feedback/toast.ts'

/** What other operators see of this one. */
export function ProfileForm({ me }: { me: Me }) {
  const change = useChangeMe()
  const [failure, setFailure] = useState<string>()
  const { email } = me
  const saved = { name: me.name, username: me.username ?? '' }
  const form = useForm({
    initial: saved,
    validate: (values) => fieldErrors(ChangeMe, values),
    submit: async (values) => {
      setFailure(undefined)
      try {
        await change(values)
        toast.success(t`Profile saved`)
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, Object.keys(values))
        setFailure(text)
        return fields
      }
    },
  })
  const { name, username } = form.values
  const isDirty = name.trim() !== saved.name || username.trim() !== saved.username
  return (
    <Card title={t`You`} text={t`You sign in as ${email}.`}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...form.field('name')}
            label={t`Name`}
            autoComplete="name"
            hint={t`The people you invite see it.`}
          />
          <TextField {...form.field('username')} label={t`Username`} hint={t`Short, and yours alone.`} />
        </div>
        <div className="flex justify-end">
          <Button kind="primary" type="submit" loading={form.sending}>
            <Trans>Save profile</Trans>
          </Button>
        </div>
        <LeaveGuard isDirty={isDirty} />
      </form>
    </Card>
  )
}
