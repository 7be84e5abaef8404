import type { Invitation } from '@kassa/contract/operators/member-schemas.ts'
import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'

import { formFailure } from '../../api/form-failure.ts'
import { useMemberChanges } from '../../api/members.ts'
import { useForm } from '../../lib/forms/form.ts'
import { TextField } from '../../ui/fields/TextField.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { roleChoice, roleErrors, RoleFields, useGivable } from './RoleFields.tsx'
import type { RoleValues } from './RoleFields.tsx'

export type InviteDialogProps = {
  /** Told of the link where no mail can carry it. */
  readonly onInvited: (email: string, invitation: Invitation | null) => void
  readonly onClose: () => void
}

/** Asks whom to let in, and with which role. */
export function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const { invite } = useMemberChanges()
  const { roles, shownOf } = useGivable()
  const email = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string>()
  const initial: RoleValues & { email: string; name: string } = {
    email: '',
    name: '',
    role: '',
    place: 'project',
    projects: [],
  }
  const form = useForm({
    initial,
    validate: (values) => ({
      ...(values.email.trim() === '' && { email: t`E-mail is required` }),
      ...roleErrors(shownOf(values), roles),
    }),
    submit: async (values) => {
      setFailure(undefined)
      const address = values.email.trim()
      try {
        const name = values.name.trim()
        const member = { email: address, ...(name !== '' && { name }), ...roleChoice(shownOf(values), roles) }
        const invitation = await invite(member)
        if (invitation?.url === null) toast.success(t`An invitation is on its way to ${address}`)
        onInvited(address, invitation)
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['email', 'roleID', 'projectIDs'])
        setFailure(text)
        const { roleID, projectIDs, ...own } = fields
        return {
          ...own,
          ...(roleID !== undefined && { role: roleID }),
          ...(projectIDs !== undefined && { projects: projectIDs }),
        }
      }
    },
  })
  return (
    <FormDialog
      title={t`Invite member`}
      save={t`Send invitation`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
      initialFocus={email}
    >
      <TextField {...form.field('email')} ref={email} type="email" label={t`E-mail`} autoComplete="off" />
      <TextField {...form.field('name')} label={t`Name`} hint={t`How they are called in lists; they can change it.`} />
      <RoleFields values={form.values} errors={form.errors} onChange={form.set} />
    </FormDialog>
  )
}
