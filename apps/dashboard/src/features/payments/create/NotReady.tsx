import type { Readiness } from '@kassa/contract/payments/readiness.ts'
import { Trans } from '@lingui/react/macro'

import { missingText } from '../../../labels/readiness-texts.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'

/** What a project lacks before it can take payments, each with the way to correct it. */
export function NotReady({ missing }: { missing: Readiness['missing'] }) {
  return (
    <Banner tone="warning">
      <p className="font-medium">
        <Trans>This project cannot take payments yet.</Trans>
      </p>
      <ul className="mt-1 flex flex-col gap-1">
        {missing.map((one) => (
          <li key={one.text}>
            {missingText(one)}{' '}
            <TextLink href={one.fixPath}>
              <Trans>Set it up</Trans>
            </TextLink>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
