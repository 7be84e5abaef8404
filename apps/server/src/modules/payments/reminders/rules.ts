/** A link that lives shorter is paid or left while the customer looks at it: its reminder would come beside the page. */
export const SHORTEST_REMINDED_MS = 3_600_000

/** A reminder is due in the last quarter of a link's time, or on its last day where a quarter is longer. */
export const REMINDED_SHARE = 4
export const LONGEST_NOTICE_MS = 24 * 3_600_000

/** A mail that arrives later than this before the end leaves no time to pay. */
export const LEAST_NOTICE_MS = 5 * 60_000
