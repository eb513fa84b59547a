import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { DuplicatePair } from '@balcao/contract/contacts/duplicates.ts'
import { Text } from '@mantine/core'
import { Avatar } from '../../../ui/avatar.tsx'
import { showPhone } from '../contacts/phone.ts'
import classes from './pair.module.css'

/** Two who may be one, side by side; one above the other where there is no room. */
export const Pair = ({ pair: { a, b } }: { pair: DuplicatePair }) => (
  <span className={classes.pair}>
    <Person contact={a} />
    <Person contact={b} />
  </span>
)

const Person = ({ contact }: { contact: Contact }) => (
  <span className={classes.person}>
    <Avatar name={contact.name} src={contact.profilePicUrl} size={32} />
    <span className={classes.words}>
      <span className="truncate" title={contact.name}>
        {contact.name}
      </span>
      <Text size="xs" c="dimmed" component="span" className="truncate">
        {[contact.number && showPhone(contact.number), contact.email, contact.businessName]
          .filter(Boolean)
          .join(' · ') || 'Sem telefone'}
      </Text>
    </span>
  </span>
)
