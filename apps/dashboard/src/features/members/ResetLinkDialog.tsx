import type { Operator } from '@kassa/contract/operators/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { formFailure } from '../../api/form-failure.ts'
import { useMemberChanges } from '../../api/members.ts'
import { useForm } from '../../lib/forms/form.ts'
import { SPEC_TEXTS } from '../../lib/text/spec-texts.ts'
import { PasswordField } from '../../ui/fields/PasswordField.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import type { ShownLink } from './LinkDialog.tsx'

export type ResetLinkDialogProps = {
  readonly member: Operator
  readonly onMade: (link: ShownLink) => void
  readonly onClose: () => void
}

/** Makes a link with which a member chooses a new password, for the operator's own password. */
export function ResetLinkDialog({ member, onMade, onClose }: ResetLinkDialogProps) {
  const { resetLink } = useMemberChanges()
  const { email, id } = member
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }) => (password === '' ? { password: t(SPEC_TEXTS.passwordRequired) } : {}),
    submit: async ({ password }) => {
      setFailure(undefined)
      try {
        onMade({ email, ...(await resetLink(id, password)) })
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['password'])
        setFailure(text)
        return fields
      }
    },
  })
  return (
    <FormDialog
      title={t`Reset link for ${email}`}
      save={t`Make link`}
      size={400}
      sending={form.sending}
      failure={failure}
      isSafe
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <p className="text-body">
        <Trans>Whoever has the link chooses a new password for this member. Links made before stop working.</Trans>
      </p>
      <PasswordField {...form.field('password')} label={t`Your own password`} autoComplete="current-password" />
    </FormDialog>
  )
}
