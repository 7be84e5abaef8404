import type { SubmitEvent, ReactNode } from 'react'

export type PublicFormProps = {
  readonly title: string
  readonly text?: ReactNode
  readonly children: ReactNode
  readonly onSubmit?: (event: SubmitEvent<HTMLFormElement>) => void
  readonly foot?: ReactNode
}

/** The 400 px column of the public pages: heading, sentence, form. Its head stands still when an error makes it longer. */
export function PublicForm({ title, text, children, onSubmit, foot }: PublicFormProps) {
  return (
    <div className="mx-auto mt-[min(12dvh,7rem)] mb-auto w-full max-w-[400px]">
      <h1 tabIndex={-1} className="text-h1 font-semibold">
        {title}
      </h1>
      {text !== undefined && <p className="mt-2 text-body text-muted">{text}</p>}
      {onSubmit === undefined ? (
        <div className="mt-6">{children}</div>
      ) : (
        <form noValidate onSubmit={onSubmit} className="mt-6 flex flex-col gap-4">
          {children}
        </form>
      )}
      {foot !== undefined && <div className="mt-6 text-body text-muted">{foot}</div>}
    </div>
  )
}
