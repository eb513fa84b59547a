import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import classes from './contact-name.module.css'
import { PhoneText } from './phone-text.tsx'

/** Face and name; on a narrow screen, where the columns are gone, the number too. */
export const ContactName = ({ contact }: { contact: Contact }) => (
  <span className={classes.contact}>
    <Avatar name={contact.name} src={contact.profilePicUrl} size={28} />
    <span className={classes.words}>
      <span className="truncate" title={contact.name}>
        {contact.name}
      </span>
      {contact.number && (
        <span className={classes.number}>
          <PhoneText number={contact.number} />
        </span>
      )}
    </span>
  </span>
)
