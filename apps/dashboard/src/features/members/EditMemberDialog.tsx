import { ChangeMember } from '@kassa/contract/operators/member-schemas.ts'
import type { Operator } from '@kassa/contract/operators/schemas.ts'
import { t } from '@lingui/core/macro'
import { useState } from 'react'

import { formFailure } from '../../api/form-failure.ts'
import { type MemberChange, useMemberChanges } from '../../api/members.ts'
import { fieldErrors } from '../../lib/forms/field-errors.ts'
import { useForm } from '../../lib/forms/form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { TextField } from '../../ui/fields/TextField.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'

/** Changes what a member is called and where mail reaches them. */
export function EditMemberDialog({ member, onClose }: { member: Operator; onClose: () => void }) {
  const { change } = useMemberChanges()
  const [failure, setFailure] = useState<string>()
  const before = { name: member.name, username: member.username ?? '', email: member.email }
  const form = useForm({
    initial: before,
    validate: (values) => fieldErrors(ChangeMember, values),
    submit: async (values) => {
      setFailure(undefined)
      try {
        await change(member.id, differing(before, values))
        toast.success(t`Member saved`)
        onClose()
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['name', 'username', 'email'])
        setFailure(text)
        return fields
      }
    },
  })
  const { email } = member
  return (
    <FormDialog
      title={t`Edit ${email}`}
      save={t`Save changes`}
      size={400}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <TextField {...form.field('name')} label={t`Name`} />
      <TextField {...form.field('username')} label={t`Username`} />
      <TextField
        {...form.field('email')}
        label={t`E-mail`}
        type="email"
        hint={t`They sign in with it. A new one ends links that were sent before, and both addresses are notified.`}
      />
    </FormDialog>
  )
}

/** Another operator's change to the rest stays. */
function differing(before: Required<MemberChange>, values: Required<MemberChange>): MemberChange {
  return {
    ...(values.name !== before.name && { name: values.name }),
    ...(values.username !== before.username && { username: values.username }),
    ...(values.email !== before.email && { email: values.email }),
  }
}
