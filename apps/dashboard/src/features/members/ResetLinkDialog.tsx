import type { Operator } from '@kassa/contract/operators/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { useMemberChanges } from '../../api/members.ts'
import { useRequestForm } from '../../api/request-form.ts'
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
  const { form, failure } = useRequestForm(
    { password: '' },
    ({ password }) => (password === '' ? { password: t(SPEC_TEXTS.passwordRequired) } : {}),
    async ({ password }) => onMade({ email, ...(await resetLink(id, password)) }),
  )
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
