import type { MessageDescriptor } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

export type PolicySection = { readonly title: MessageDescriptor; readonly text: MessageDescriptor }

/** One article at a reading measure, with the day it last changed. */
export function Policy({
  title,
  changed,
  sections,
}: {
  title: string
  changed: string
  sections: readonly PolicySection[]
}) {
  return (
    <article className="mx-auto w-full max-w-[68ch] mb-auto py-6">
      <h1 tabIndex={-1} className="text-h1 font-semibold">
        {title}
      </h1>
      <p className="mt-2 text-dense text-muted">
        <Trans>Last changed: {changed}</Trans>
      </p>
      {sections.map(({ title: heading, text }) => (
        <section key={heading.id} className="mt-8">
          <h2 className="text-h3 font-semibold">{t(heading)}</h2>
          <p className="mt-2 text-field text-strong-muted">{t(text)}</p>
        </section>
      ))}
    </article>
  )
}
