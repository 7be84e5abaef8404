import type { Permission } from '@kassa/contract/permissions.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { configurationQuery } from '../../api/configuration.ts'
import { useCan } from '../../api/me.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Card } from '../../ui/places/Card.tsx'
import { SetupLine } from './SetupLine.tsx'

type Later = {
  readonly title: MessageDescriptor
  readonly fact: MessageDescriptor
  readonly needs: readonly Permission[]
  /** Absent: on every network. */
  readonly isOnSandbox?: boolean
}

/** The steps of a project, as its guide names them, and what each needs to be there. */
const LATER: readonly Later[] = [
  { title: msg`Choose where customers pay`, fact: msg`A wallet only you control.`, needs: ['wallet:read'] },
  {
    title: msg`Choose where you receive funds`,
    fact: msg`A cold address, whose key only you have.`,
    needs: ['wallet:write'],
  },
  { title: msg`Accept assets`, fact: msg`Currencies and the networks they come on.`, needs: [] },
  { title: msg`Check the nodes`, fact: msg`What reads the networks for you.`, needs: [] },
  {
    title: msg`Make a test payment`,
    fact: msg`See money travel from link to “Paid”.`,
    needs: ['payment:create', 'sandbox:use'],
    isOnSandbox: true,
  },
  { title: msg`Add a second factor`, fact: msg`Your password alone opens everything.`, needs: [] },
  { title: msg`Connect your shop`, fact: msg`An API key and a webhook.`, needs: ['api_key:read', 'webhook:read'] },
  {
    title: msg`Say where customers get help`,
    fact: msg`A support e-mail, named on the payment page.`,
    needs: ['project:update'],
  },
  {
    title: msg`Set up e-mail`,
    fact: msg`For receipts, invitations and new passwords.`,
    needs: ['security:write'],
    isOnSandbox: false,
  },
]

/** The guide of an empty install: everything begins with a project. */
export function FirstProject({ onAdd }: { onAdd: (() => void) | undefined }) {
  const can = useCan()
  const { data: configuration } = useQuery(configurationQuery)
  const isSandbox = configuration?.features.sandbox === true
  // A guide that counts three steps here and seven on the next page would be believed nowhere.
  const later = LATER.filter(
    ({ needs, isOnSandbox = isSandbox }) => isOnSandbox === isSandbox && needs.every((need) => can(need)),
  )
  const all = later.length + 1
  return (
    <Card title={t`Setup guide`} text={t`0 of ${all} done`}>
      <ol className="-my-1 divide-y divide-border">
        <SetupLine
          title={t`Create a project`}
          fact={
            onAdd === undefined
              ? t`Ask an administrator to add one, or to add you to one.`
              : t`A brand or a site that takes payments under its own name.`
          }
          isDone={false}
        >
          {onAdd !== undefined && (
            <Button kind="primary" size="small" onClick={onAdd}>
              <Trans>Create a project</Trans>
            </Button>
          )}
        </SetupLine>
        {later.map(({ title, fact }) => (
          <SetupLine key={title.id} title={t(title)} fact={t(fact)} isDone={false} />
        ))}
      </ol>
    </Card>
  )
}
