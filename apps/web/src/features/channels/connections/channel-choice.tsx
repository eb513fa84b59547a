import { type ChannelKind, channelKinds, channels } from '@balcao/contract/channels/index.ts'
import { Modal, Text, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { ChannelGlyph } from '../../../ui/channel-glyph.tsx'
import classes from './channel-choice.module.css'

type Props = { opened: boolean; onChoose: (kind: ChannelKind) => void; onClose: () => void }

/** Which channel to add, from the catalogue of the contract. */
export const ChannelChoice = ({ opened, onChoose, onClose }: Props) => (
  <Modal
    opened={opened}
    onClose={onClose}
    size="lg"
    title={<Text fw={600}>Qual canal você quer adicionar?</Text>}
    closeButtonProps={{ 'aria-label': 'Fechar' }}
  >
    <ul className={classes.list}>
      {channelKinds.map((kind, index) => (
        <li key={kind}>
          <UnstyledButton
            className={classes.card}
            onClick={() => onChoose(kind)}
            data-autofocus={index === 0 || undefined}
          >
            <ChannelGlyph channel={kind} size={36} />
            <span className={classes.words}>
              <span className={classes.name}>{channels[kind].label}</span>
              <span className={classes.what}>{channels[kind].description}</span>
            </span>
            <IconChevronRight size={18} aria-hidden />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  </Modal>
)
