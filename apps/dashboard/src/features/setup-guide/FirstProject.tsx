import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { SetupLine } from './SetupLine.tsx'

const LATER = [
  { title: msg`Choose where your money ends`, fact: msg`A wallet only you control.` },
  { title: msg`Make a test payment`, fact: msg`See money travel from link to “Paid”.` },
  { title: msg`Connect your shop`, fact: msg`An API key and a webhook.` },
] as const

/** The guide of an empty install: everything begins with a project. */
export function FirstProject({ onAdd }: { onAdd: (() => void) | undefined }) {
  return (
    <Card title={t`Setup guide`} text={t`0 of 4 done`}>
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
        {LATER.map(({ title, fact }) => (
          <SetupLine key={title.id} title={t(title)} fact={t(fact)} isDone={false} />
        ))}
      </ol>
    </Card>
  )
}
