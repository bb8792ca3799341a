use std::collections::VecDeque;

use egui::{Context, Event, Key, Modifiers, Plugin, RawInput};

/// Queue that distributes input events over several passes, so that each key press takes effect before later events.
///
/// After a slow frame, or with scripts or fast typing, many events arrive at once. Without this queue, egui would pass
/// all of them to every widget in one pass. Ten presses of Ctrl+Z would undo only one step, and text typed after
/// Ctrl+F would trigger shortcuts.
#[derive(Default)]
pub(super) struct InputQueue {
    waiting: VecDeque<Event>,
    /// Role of the last event with an effect in the previous pass. The pass after a key press contains no events with
    /// an effect, so that a text field can get the focus first.
    before: Option<EventRole>,
}

#[derive(Clone, Copy, PartialEq)]
enum EventRole {
    Pointer,
    /// A key press that may be followed by its text event.
    Letter,
    Key,
    Text,
}

impl EventRole {
    /// Returns the role of an event; `None` if it has no effect. Typing into a focused field counts as text.
    fn new(event: &Event, is_typing: bool) -> Option<Self> {
        match event {
            Event::Key { pressed: true, modifiers, .. } if modifiers.command || modifiers.ctrl => Some(Self::Key),
            Event::Key { pressed: true, key, .. } => {
                let ends = matches!(key, Key::Enter | Key::Escape | Key::Tab | Key::ArrowUp | Key::ArrowDown);
                Some(if is_typing && !ends { Self::Text } else { Self::Letter })
            }
            Event::Copy | Event::Cut | Event::Paste(_) | Event::PasteImage(_) => Some(Self::Key),
            Event::Text(_) | Event::Ime(_) => Some(Self::Text),
            Event::PointerButton { .. } | Event::AccessKitActionRequest(_) => Some(Self::Pointer),
            _ => None,
        }
    }

    /// Returns the role of a pass after an event is added to it; `None` if the event must wait for a later pass.
    fn joined(before: Option<Self>, next: Self, event: &Event) -> Option<Self> {
        let is_letter = || matches!(event, Event::Text(text) if text.chars().count() == 1);
        match (before, next) {
            (None, next) => Some(next),
            (Some(Self::Pointer), Self::Pointer) | (Some(Self::Text), Self::Text) => Some(next),
            // The text event belongs to the preceding key press.
            (Some(Self::Letter), Self::Text) if is_letter() => Some(Self::Key),
            _ => None,
        }
    }
}

impl InputQueue {
    /// Queues events. Drops repeats of a held key while the queue isn't empty.
    fn add(&mut self, events: impl Iterator<Item = Event>) {
        let is_behind = !self.waiting.is_empty();
        let mut is_repeat = false;
        for event in events {
            is_repeat = match &event {
                Event::Key { key, pressed: true, modifiers, .. } => is_behind && self.is_down(*key, *modifiers),
                Event::Text(_) => is_repeat,
                _ => false,
            };
            if !is_repeat {
                self.waiting.push_back(event);
            }
        }
    }

    /// Returns whether the last queued event for a key is a press with the same modifiers.
    fn is_down(&self, wanted: Key, held: Modifiers) -> bool {
        let of_key = |event: &Event| match event {
            Event::Key { key, pressed, modifiers, .. } if *key == wanted => Some(*pressed && *modifiers == held),
            _ => None,
        };
        self.waiting.iter().rev().find_map(of_key) == Some(true)
    }

    fn next(&mut self, is_typing: bool) -> Vec<Event> {
        let (mut acting, mut acted) = (self.before.take(), None);
        let goes_now = |event: &&Event| match EventRole::new(event, is_typing) {
            None => true,
            Some(next) => {
                let joined = EventRole::joined(acting, next, event);
                (acting, acted) = (joined.or(acting), joined.or(acted));
                joined.is_some()
            }
        };
        let count = self.waiting.iter().take_while(goes_now).count();
        self.before = acted.map(|acted| if acted == EventRole::Pointer { acted } else { EventRole::Key });
        self.waiting.drain(..count).collect()
    }
}

impl Plugin for InputQueue {
    fn debug_name(&self) -> &'static str {
        "input order"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        self.add(input.events.drain(..));
        input.events = self.next(ctx.text_edit_focused());
        if !self.waiting.is_empty() {
            ctx.request_repaint();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: Key, pressed: bool, modifiers: Modifiers) -> Event {
        Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }
    }

    fn typed(letter: Key, text: &str) -> [Event; 3] {
        let none = Modifiers::NONE;
        [key(letter, true, none), Event::Text(text.to_owned()), key(letter, false, none)]
    }

    fn passes(order: &mut InputQueue, events: Vec<Event>) -> Vec<Vec<Event>> {
        order.add(events.into_iter());
        let mut passes = Vec::new();
        while !order.waiting.is_empty() {
            passes.push(order.next(false));
        }
        passes
    }

    #[test]
    fn every_key_press_has_a_pass_with_its_letter_and_a_pass_without_keys_follows() {
        let find = [true, false].map(|pressed| key(Key::F, pressed, Modifiers::COMMAND));
        let [t, letter_t, t_up] = typed(Key::T, "t");
        let all = [find[0].clone(), find[1].clone(), t.clone(), letter_t.clone(), t_up.clone()];
        let order = passes(&mut InputQueue::default(), all.to_vec());
        assert_eq!(order, [vec![find[0].clone(), find[1].clone()], vec![], vec![t, letter_t, t_up]]);
    }

    #[test]
    fn text_that_a_shortcut_did_not_write_waits_for_the_focus() {
        let (find, text) = (key(Key::F, true, Modifiers::COMMAND), Event::Text("t".to_owned()));
        let order = passes(&mut InputQueue::default(), vec![find.clone(), text.clone()]);
        assert_eq!(order, [vec![find], vec![], vec![text]]);
    }

    #[test]
    fn clicks_and_movements_come_before_the_next_key_and_text_comes_together() {
        let click = [true, false].map(|pressed| Event::PointerButton {
            pos: egui::Pos2::ZERO,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        let moved = Event::PointerMoved(egui::Pos2::ZERO);
        let enter = key(Key::Enter, true, Modifiers::NONE);
        let text = ["one", "two"].map(|text| Event::Text(text.to_owned()));
        let all = [std::slice::from_ref(&moved), &click, &text, std::slice::from_ref(&enter)].concat();
        let order = passes(&mut InputQueue::default(), all);
        let pointer = [&[moved][..], &click].concat();
        assert_eq!(order, [pointer, vec![], text.to_vec(), vec![], vec![enter]]);
    }

    #[test]
    fn all_that_is_typed_into_a_field_goes_there_at_once_but_what_ends_it_waits() {
        let mut order = InputQueue::default();
        let word = ["a", "b"].iter().zip([Key::A, Key::B]).flat_map(|(text, letter)| typed(letter, text));
        let enter = key(Key::Enter, true, Modifiers::NONE);
        order.add(word.chain([key(Key::Backspace, true, Modifiers::NONE), enter.clone()]));
        assert_eq!(order.next(true).len(), 7);
        assert!(order.next(true).is_empty());
        assert_eq!(order.next(true), [enter]);
    }

    #[test]
    fn repeats_of_a_held_key_do_not_pile_up_but_single_presses_stay() {
        let mut order = InputQueue::default();
        let down = key(Key::ArrowDown, true, Modifiers::NONE);
        order.add(std::iter::repeat_n(down.clone(), 3));
        for _ in 0..50 {
            order.next(false);
            order.add(std::iter::repeat_n(down.clone(), 3));
        }
        assert!(order.waiting.len() <= 3, "{}", order.waiting.len());
        let pressed = [key(Key::Z, true, Modifiers::COMMAND), key(Key::Z, false, Modifiers::COMMAND)];
        let mut order = InputQueue::default();
        (0..10).for_each(|_| order.add(pressed.clone().into_iter()));
        assert_eq!(order.waiting.len(), 20);
    }
}
