//! Days since 1970-01-01 to dates of the Gregorian calendar, for all years.

/// Year, month and day of the day that is so many days behind 1970-01-01.
pub fn of_days(days: i64) -> (i64, u32, u32) {
    // Years are counted from March, so that the leap day is the last of its
    // year; 400 of them, an era, have 146,097 days.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (era * 400 + year_of_era + carry, month as u32, day as u32)
}
