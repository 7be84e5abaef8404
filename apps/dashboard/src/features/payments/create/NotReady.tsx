import type { Readiness } from '@kassa/contract/payments/schemas.ts'
import { Trans } from '@lingui/react/macro'

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
        {missing.map(({ text, fixPath }) => (
          <li key={text}>
            {text}{' '}
            <TextLink href={fixPath}>
              <Trans>Set it up</Trans>
            </TextLink>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
