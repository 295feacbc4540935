<?php
// Reads a calendar from standard input with sabre/vobject, and prints its events as JSON: uid, start, end, summary. Version 2.1 was written
// for older PHP, whose newer notices are not errors of its own.
error_reporting(E_ERROR);
date_default_timezone_set('UTC');
require_once 'Sabre/autoload.php';

$calendar = \Sabre\VObject\Reader::read(file_get_contents('php://stdin'));
$shown = fn($property, $time) => $property['VALUE'] == 'DATE'
    ? $time->format('Y-m-d')
    : $time->setTimezone(new DateTimeZone('UTC'))->format('Y-m-d\TH:i:s\Z');
$events = [];
foreach ($calendar->select('VEVENT') as $event) {
    $start = $event->DTSTART;
    $end = $event->DTEND ?: $start;
    $ends = clone $end->getDateTime();
    if (!$event->DTEND && $start['VALUE'] == 'DATE') {
        $ends->modify('+1 day');
    }
    $events[] = [
        'uid' => (string) $event->UID,
        'start' => $shown($start, clone $start->getDateTime()),
        'end' => $shown($end, $ends),
        // This version leaves two of the escapes as they are.
        'summary' => strtr((string) $event->SUMMARY, ['\\,' => ',', '\\;' => ';']),
    ];
}
echo json_encode($events, JSON_THROW_ON_ERROR), "\n";
