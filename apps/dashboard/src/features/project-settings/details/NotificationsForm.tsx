import type { Project } from '@kassa/contract/projects/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { configurationQuery } from '../../../api/configuration.ts'
import { useCan } from '../../../api/me.ts'
import { paths } from '../../../lib/paths.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { projectLabel, shownValue } from '../saved-form/project-changes.ts'
import { SavedFormFrame } from '../saved-form/SavedFormFrame.tsx'
import { useProjectForm } from '../saved-form/useProjectForm.ts'

/** Who mails to the project's customers come from, and where their answers go. */
export function NotificationsForm({ project }: { project: Project }) {
  const edit = useProjectForm(project)
  const { field } = edit.form
  const { name, supportEmail } = project
  return (
    <>
      <NoMailServer />
      <SavedFormFrame edit={edit} label={projectLabel} show={shownValue}>
        <Card
          title={t`Mails to customers`}
          text={t`Reminders of links that are still open. Whether they are sent is set on the tab Checkout.`}
        >
          <div className="grid gap-4 md:grid-cols-2">
            <TextField
              {...field('emailSendRequestFrom')}
              label={t`Sender`}
              placeholder={`${name} <pay@shop.example>`}
              hint={t`A name with an e-mail, or an e-mail alone. Empty: the mail server’s own sender.`}
            />
            <TextField
              {...field('emailSendRequestReplyTo')}
              label={t`Reply-to`}
              placeholder="help@shop.example"
              hint={supportEmail === '' ? t`Empty: the sender.` : t`Empty: ${supportEmail}.`}
            />
          </div>
        </Card>
      </SavedFormFrame>
    </>
  )
}

function NoMailServer() {
  const { data: configuration } = useQuery(configurationQuery)
  const mayRead = useCan()('settings:read')
  if (configuration === undefined || configuration.features.smtp) return null
  return (
    <div className="mb-4">
      <Banner
        tone="warning"
        action={
          mayRead ? (
            <TextLink href={paths.email()}>
              <Trans>Set up the mail server</Trans>
            </TextLink>
          ) : undefined
        }
      >
        <Trans>This server cannot send mails yet: no mail server is set.</Trans>
      </Banner>
    </div>
  )
}
