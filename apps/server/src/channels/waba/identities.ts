import type { Identity } from '@balcao/contract/contacts/contacts.ts'

/** Somebody with a username may have no phone here: then the business-scoped id stands alone. */
export const identitiesOf = (bsuid: string | undefined, phone: string | undefined): Identity[] => [
  ...(bsuid ? [{ kind: 'bsuid', value: bsuid } as const] : []),
  ...(phone ? [{ kind: 'phone', value: phone } as const] : []),
]
