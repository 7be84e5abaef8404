import type { Project } from '@kassa/contract/projects/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { useCan } from '../../../api/me.ts'
import { paths } from '../../../lib/paths.ts'
import { addressField } from '../../../lib/forms/address-field.ts'
import { Card } from '../../../ui/places/Card.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { DefaultAssetFields } from './DefaultAssetFields.tsx'
import { projectLabel, shownValue } from '../saved-form/project-changes.ts'
import { SavedFormFrame } from '../saved-form/SavedFormFrame.tsx'
import { useProjectForm } from '../saved-form/useProjectForm.ts'

/** Who the project is, where its customers and messages go, and what the checkout offers first. */
export function DetailsForm({ project }: { project: Project }) {
  const mayChangeWebhook = useCan()('webhook:write', project.id)
  const edit = useProjectForm(project)
  const { field } = edit.form
  return (
    <SavedFormFrame edit={edit} label={projectLabel} show={shownValue}>
      <Card title={t`Project`}>
        <div className="grid gap-4 md:grid-cols-2">
          <TextField {...field('name')} label={t`Name`} hint={t`Customers see it on the payment page.`} />
          <TextField {...addressField(field('website'))} label={t`Website`} />
          <TextField
            {...field('supportEmail')}
            label={t`Support e-mail`}
            type="email"
            inputMode="email"
            hint={t`Customers write here when something about a payment is wrong.`}
          />
        </div>
      </Card>
      <Card title={t`URLs`} text={t`Where customers and messages go.`}>
        <div className="grid gap-4 md:grid-cols-2">
          <TextField {...addressField(field('successEndpoint'))} label={t`Success URL`} hint={t`After paying.`} />
          <TextField {...addressField(field('cancelEndpoint'))} label={t`Cancel URL`} hint={t`After giving up.`} />
          <TextField
            {...addressField(field('frontendEndpoint'))}
            label={t`Frontend URL`}
            hint={
              <Trans>
                Serves payment pages in place of this server, once it is among the{' '}
                <TextLink href={paths.systemHealth()}>allowed origins</TextLink>.
              </Trans>
            }
          />
          <TextField
            {...addressField(field('webhookEndpoint'))}
            label={t`Webhook URL`}
            readOnly={!mayChangeWebhook}
            hint={
              <Trans>
                The first endpoint that receives payment events. Others under{' '}
                <TextLink href={paths.developers({ tabId: 'webhooks', projectId: String(project.id) })}>
                  Webhooks
                </TextLink>
                .
              </Trans>
            }
          />
        </div>
      </Card>
      <Card title={t`Offered first`}>
        <div className="grid gap-4 md:grid-cols-2">
          <DefaultAssetFields
            projectId={String(project.id)}
            network={field('defaultPaymentBlockchainID')}
            asset={field('defaultPaymentBlockchainCurrencyID')}
          />
        </div>
      </Card>
      <Card title={t`Social links`}>
        <div className="grid gap-4 md:grid-cols-2">
          <TextField {...addressField(field('twitterURL'))} label="X / Twitter" />
          <TextField {...addressField(field('discordURL'))} label="Discord" />
          <TextField {...addressField(field('linkedInURL'))} label="LinkedIn" />
          <TextField {...addressField(field('telegramURL'))} label="Telegram" />
        </div>
      </Card>
    </SavedFormFrame>
  )
}
