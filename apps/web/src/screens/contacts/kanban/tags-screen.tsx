import { ContactBoardScreen } from './contact-board-screen.tsx'

export default function TagsScreen() {
  return <ContactBoardScreen by="tag" />
}
