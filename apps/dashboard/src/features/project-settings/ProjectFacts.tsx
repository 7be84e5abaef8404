import type { Project } from '@kassa/contract/projects/schemas.ts'

import { Card } from '../../ui/Card.tsx'
import { KeyValue } from '../../ui/KeyValue.tsx'

/** The details of a project for those who may only read them. */
export function ProjectFacts({ project }: { project: Project }) {
  const rows = [
    { label: 'Name', value: project.name },
    { label: 'Website', value: project.website },
    { label: 'Support e-mail', value: project.supportEmail },
    { label: 'Brand colour', value: project.brandColor },
    { label: 'Success address', value: project.successEndpoint },
    { label: 'Cancel address', value: project.cancelEndpoint },
    { label: 'Frontend address', value: project.frontendEndpoint },
    { label: 'Webhook address', value: project.webhookEndpoint },
    { label: 'X / Twitter', value: project.twitterURL },
    { label: 'Discord', value: project.discordURL },
    { label: 'LinkedIn', value: project.linkedInURL },
    { label: 'Telegram', value: project.telegramURL },
  ].filter(({ value }) => value !== '')
  return (
    <Card title="Project" text="Changing these needs project:update. Ask an administrator.">
      <KeyValue rows={rows} />
    </Card>
  )
}
